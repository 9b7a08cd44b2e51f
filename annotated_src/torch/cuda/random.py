"""The CUDA devices' default generators, by functions. Retells torch/cuda/random.py.

Seeding is asked for before anybody knows whether CUDA will be used (`torch.manual_seed` does so each time), so it
must not start CUDA: what is to be done is queued until CUDA starts, and only the last seed is kept.

Deviation: a CUDA generator draws what the CPU's draws from the same seed (aten/cpu_generator_impl.py says why).
"""

from annotated_src.torch._C import device as _device

# Deviation: upstream imports this package here; when it is complete, it puts itself here, for it stands above.
cuda = None

__all__ = [
    "get_rng_state",
    "get_rng_state_all",
    "initial_seed",
    "manual_seed",
    "manual_seed_all",
    "seed",
    "seed_all",
    "set_rng_state",
    "set_rng_state_all",
]


def get_rng_state(device="cuda"):
    """Where a device's generator stands, as a uint8 tensor on the CPU; starts CUDA.

    Upstream: torch/cuda/random.py.
    """
    cuda._lazy_init()
    default_generator = cuda.default_generators[_index(device)]
    return default_generator.get_state()


def get_rng_state_all():
    """The states of all devices.

    Upstream: torch/cuda/random.py.

    >>> from annotated_src import torch
    >>> len(torch.cuda.get_rng_state_all()) == torch.cuda.device_count()
    True
    """
    return [get_rng_state(i) for i in range(cuda.device_count())]


def set_rng_state(new_state, device="cuda"):
    """Let a device's generator go on where `get_rng_state` was called; waits for CUDA to start.

    Upstream: torch/cuda/random.py.
    """
    if not cuda.is_initialized():
        # It may be long until then, and the caller may write to the tensor.
        new_state = new_state.clone()

    def cb():
        default_generator = cuda.default_generators[_index(device)]
        default_generator.set_state(new_state)

    cuda._lazy_call(cb)


def _index(device):
    if isinstance(device, str):
        device = _device(device)
    elif isinstance(device, int):
        device = _device("cuda", device)
    return cuda.current_device() if device.index is None else device.index


def set_rng_state_all(new_states):
    """Let every device's generator go on where `get_rng_state_all` was called.

    Upstream: torch/cuda/random.py.
    """
    for i, state in enumerate(new_states):
        set_rng_state(state, i)


def manual_seed(seed):
    """Begin the current device's generator anew at `seed`; waits for CUDA to start.

    Upstream: torch/cuda/random.py.
    """
    seed = int(seed)

    def cb():
        idx = cuda.current_device()
        default_generator = cuda.default_generators[idx]
        default_generator.manual_seed(seed)

    cuda._lazy_call(cb, seed=True)


def manual_seed_all(seed):
    """Begin every device's generator anew at `seed`; waits for CUDA to start.

    Upstream: torch/cuda/random.py.
    """
    seed = int(seed)

    def cb():
        for i in range(cuda.device_count()):
            default_generator = cuda.default_generators[i]
            default_generator.manual_seed(seed)

    cuda._lazy_call(cb, seed_all=True)


def seed():
    """Begin the current device's generator anew at a seed that nobody can foretell; waits for CUDA to start.

    Upstream: torch/cuda/random.py.
    """

    def cb():
        idx = cuda.current_device()
        default_generator = cuda.default_generators[idx]
        default_generator.seed()

    cuda._lazy_call(cb)


def seed_all():
    """Begin all devices' generators anew at one seed that nobody can foretell; waits for CUDA to start.

    Upstream: torch/cuda/random.py.
    """

    def cb():
        first, *others = cuda.default_generators
        random_seed = first.seed()
        for default_generator in others:
            default_generator.manual_seed(random_seed)

    cuda._lazy_call(cb)


def initial_seed():
    """What the current device's generator was last seeded with; starts CUDA.

    Upstream: torch/cuda/random.py.
    """
    cuda._lazy_init()
    idx = cuda.current_device()
    default_generator = cuda.default_generators[idx]
    return default_generator.initial_seed()
