"""Tests are written once: with --device cuda or strict, what they make lies on the card.

The functions that make tensors get `device=` where the caller gave none, as upstream's torch.set_default_device does it
(which is left out here). A test that is about the CPU says why:

    @pytest.mark.cpu_only("shares memory with NumPy")

All that carry the mark are listed in tests/core/test_strict.py.
"""

import contextlib
import functools

CONSTRUCTORS = (
    "arange as_tensor asarray empty empty_permuted empty_strided eye full linspace logspace ones rand randint randn "
    "randperm range scalar_tensor sparse_coo_tensor tensor tril_indices triu_indices zeros"
).split()


@contextlib.contextmanager
def constructors_on(torch, device):
    """Within the block the constructors of `torch` put their tensors on `device`."""
    before = {name: getattr(torch, name) for name in CONSTRUCTORS if hasattr(torch, name)}
    for name, function in before.items():
        setattr(torch, name, on(function, device))
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(torch, name, function)


def on(function, device):
    """The function, with a device where the caller gives none."""

    @functools.wraps(function)
    def constructor(*args, **kwargs):
        if kwargs.get("device") is None and kwargs.get("out") is None:
            generator = kwargs.get("generator")
            kwargs["device"] = device if generator is None else generator.device
        return function(*args, **kwargs)

    return constructor
