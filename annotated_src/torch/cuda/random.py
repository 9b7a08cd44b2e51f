"""The CUDA devices' default generator, by functions. Retells torch/cuda/random.py.

Seeding is asked for before anybody knows whether CUDA will be used (`torch.manual_seed` does so each time), so it
must not start CUDA: the seed waits until a generator is made.

Deviation: one generator serves all CUDA devices; `device` is taken and makes no difference.
"""

from annotated_src.aten.cpu_generator_impl import get_default_generator, seed_default_generator

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
    """Where the generator stands, as a uint8 tensor."""
    return get_default_generator("cuda").get_state()


def get_rng_state_all():
    """The states of all devices: one."""
    return [get_rng_state()]


def set_rng_state(new_state, device="cuda"):
    """Go on where `get_rng_state` was called."""
    get_default_generator("cuda").set_state(new_state)


def set_rng_state_all(new_states):
    """Go on where `get_rng_state_all` was called."""
    for state in new_states:
        set_rng_state(state)


def manual_seed(seed):
    """Begin anew at `seed`."""
    manual_seed_all(seed)


def manual_seed_all(seed):
    """Begin anew at `seed` on all devices; without CUDA, the seed is kept for the day that it comes."""
    seed_default_generator("cuda", int(seed))


def seed():
    """Begin anew at a seed that nobody can foretell."""
    get_default_generator("cuda").seed()


def seed_all():
    """The same on all devices."""
    seed()


def initial_seed():
    """What the generator was last seeded with."""
    return get_default_generator("cuda").initial_seed()
