"""The default generator, by functions. Retells torch/random.py.

    torch.manual_seed(0)      every device's default generator begins at 0
    torch.get_rng_state()     where the CPU's stands, as a byte tensor; torch.set_rng_state(state) puts it back there
    with torch.random.fork_rng(devices=[]): ...    what is drawn in the block does not show after it

Left out: mps, xpu, mtia and devices that users register.
"""

import contextlib
import warnings

from annotated_src.torch import cuda
from annotated_src.torch._C import default_generator

__all__ = [
    "fork_rng",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
    "thread_safe_generator",
]


def set_rng_state(new_state):
    """Let the CPU's default generator go on where `get_rng_state` was called.

    Upstream: torch/random.py.
    """
    default_generator.set_state(new_state)


def get_rng_state():
    """Where the CPU's default generator stands: a uint8 tensor of 5056 bytes.

    Upstream: torch/random.py.

    >>> from annotated_src import torch
    >>> state = torch.get_rng_state()
    >>> first = torch.rand(3)
    >>> torch.set_rng_state(state)
    >>> torch.equal(torch.rand(3), first)
    True
    """
    return default_generator.get_state()


def manual_seed(seed):
    """Begin every default generator anew at `seed`; returns the CPU's.

    A negative seed counts back from 2**64. ValueError for one of more than 64 bits. Upstream: torch/random.py.

    >>> from annotated_src import torch
    >>> _ = torch.manual_seed(0)
    >>> torch.randperm(5)
    tensor([4, 0, 1, 3, 2])
    """
    return _manual_seed_impl(seed)


def _manual_seed_impl(seed):
    seed = int(seed)
    if not cuda._is_in_bad_fork():
        cuda.manual_seed_all(seed)
    return default_generator.manual_seed(seed)


def seed():
    """Begin every default generator anew at a seed that nobody can foretell; returns it.

    Upstream: torch/random.py.
    """
    seed = default_generator.seed()
    if not cuda._is_in_bad_fork():
        cuda.manual_seed_all(seed)
    return seed


def initial_seed():
    """What the CPU's default generator was last seeded with.

    Upstream: torch/random.py.
    """
    return default_generator.initial_seed()


_fork_rng_warned_already = False


@contextlib.contextmanager
def fork_rng(devices=None, enabled=True, _caller="fork_rng", _devices_kw="devices", device_type=None):
    """Within the `with` block, draw as ever; after it, the generators stand where they stood before.

    `devices` are the CUDA devices to look after; by default all of them. Upstream: torch/random.py.

    >>> from annotated_src import torch
    >>> _ = torch.manual_seed(1)
    >>> with torch.random.fork_rng():
    ...     inside = torch.rand(2)
    >>> torch.equal(torch.rand(2), inside)
    True
    """
    if device_type == "meta" or not enabled:
        yield
        return
    if device_type not in (None, "cuda"):
        raise RuntimeError(
            f"torch has no module of `{device_type}`: random numbers are drawn for `cpu`, whose generator is always "
            "forked, and for `cuda`"
        )
    devices = _all_devices(_caller, _devices_kw) if devices is None else list(devices)
    cpu_rng_state = get_rng_state()
    device_rng_states = [cuda.get_rng_state(device) for device in devices]
    try:
        yield
    finally:
        set_rng_state(cpu_rng_state)
        for device, device_rng_state in zip(devices, device_rng_states, strict=True):
            cuda.set_rng_state(device_rng_state, device)


def _all_devices(caller, devices_kw):
    global _fork_rng_warned_already
    count = cuda.device_count()
    if count > 1 and not _fork_rng_warned_already:
        _fork_rng_warned_already = True
        warnings.warn(
            f"CUDA reports that you have {count} available devices, and you have used {caller} without explicitly "
            f"specifying which devices are being used: all of them are forked. Name those that you draw on, "
            f"{devices_kw}=[0]; or, if you draw on the CPU alone, {devices_kw}=[]",
            stacklevel=5,
        )
    return list(range(count))


# Deviation: upstream imports torch.utils.data.get_worker_info in the function below; here the module that has it puts
# it here, for it stands above this one.
get_worker_info = None


def thread_safe_generator():
    """In a DataLoader's worker thread, that thread's generator; elsewhere None, which means the default one.

    Upstream: torch/random.py.
    """
    worker_info = get_worker_info() if get_worker_info is not None else None
    if worker_info is None or worker_info.worker_method != "thread" or worker_info.rng is None:
        return None
    return worker_info.rng.torch_generator
