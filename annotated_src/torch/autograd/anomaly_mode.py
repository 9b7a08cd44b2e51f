"""Find the operator whose backward fails or makes NaN. Retells torch/autograd/anomaly_mode.py.

The switch and what it does are in torch/csrc/autograd/anomaly_mode.py.
"""

import warnings

from annotated_src.torch.csrc.autograd import anomaly_mode

__all__ = ["detect_anomaly", "set_detect_anomaly"]


class detect_anomaly:
    """Within the block: each operator remembers where it was called, and backward stops at the first NaN.

    >>> from annotated_src import torch
    >>> x = torch.zeros(1, requires_grad=True)
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     with torch.autograd.detect_anomaly():
    ...         (x / x * 0).sum().backward()
    Traceback (most recent call last):
    RuntimeError: Function 'DivBackward0' returned nan values in its 0th output.
    """

    def __init__(self, check_nan=True) -> None:
        self.prev = anomaly_mode.is_enabled()
        self.check_nan = check_nan
        self.prev_check_nan = anomaly_mode.should_check_nan()
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        anomaly_mode.set_enabled(True, self.check_nan)

    def __exit__(self, *args) -> None:
        anomaly_mode.set_enabled(self.prev, self.prev_check_nan)


class set_detect_anomaly:
    """Switch it on or off, by a flag: at once, and for the block if used in a `with`."""

    def __init__(self, mode, check_nan=True) -> None:
        self.prev = anomaly_mode.is_enabled()
        self.prev_check_nan = anomaly_mode.should_check_nan()
        anomaly_mode.set_enabled(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *args) -> None:
        anomaly_mode.set_enabled(self.prev, self.prev_check_nan)
