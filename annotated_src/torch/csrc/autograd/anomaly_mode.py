"""Anomaly mode: which operator made the node whose backward fails? Retells torch/csrc/autograd/anomaly_mode.h.

While it is on, each node remembers the Python stack of its operator's call, and backward checks for NaN.
"""

import threading
import traceback
import warnings


class _AnomalyMode(threading.local):
    enabled = False
    check_nan = True


_mode = _AnomalyMode()


def is_enabled():
    return _mode.enabled


def should_check_nan():
    return _mode.check_nan


def set_enabled(enabled, check_nan=True):
    """Switch anomaly mode on or off in this thread."""
    _mode.enabled = enabled
    _mode.check_nan = check_nan


def store_stack(node, parent):
    """Remember where the operator was called, and which node's backward called it."""
    node._anomaly_metadata = {"traceback_": traceback.format_stack()[:-2], "parent_": parent}


def print_stack(node):
    """Warn with the stack of the forward call that made `node`."""
    if not _mode.enabled:
        return
    metadata = node._anomaly_metadata
    if metadata is None:
        warnings.warn(
            f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during "
            "forward pass for more information.",
            stacklevel=2,
        )
        return
    stack = "".join(metadata["traceback_"])
    warnings.warn(
        f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n{stack}", stacklevel=2
    )
