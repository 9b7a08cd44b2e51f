"""torch.Generator: a source of random numbers, as Python holds it. Retells torch/csrc/Generator.cpp.

    g = torch.Generator().manual_seed(3)
    torch.randperm(5, generator=g)          draws from g and leaves the default generator alone

The class of the default generators is registered here.

Left out: graphsafe_get_state and graphsafe_set_state (CUDA graphs).
Deviation: upstream's Python object holds a pointer to the C++ generator; here it is a subclass of it.
"""

import numpy

from annotated_src.aten.cpu_generator_impl import (
    CPUGeneratorImpl,
    default_rng_seed_val,
    get_default_generator,
    set_generator_class,
)
from annotated_src.c10.array_module import cuda_module, is_built
from annotated_src.c10.core.device import Device
from annotated_src.c10.util.exception import TorchError


class Generator(CPUGeneratorImpl):
    """A source of random numbers on `device`: the same seed gives the same numbers.

    Upstream: torch/csrc/Generator.cpp.

    >>> from annotated_src import torch
    >>> g = torch.Generator().manual_seed(0)
    >>> torch.randint(10, (4,), generator=g)
    tensor([4, 9, 3, 0])
    """

    __slots__ = ()

    def __init__(self, device="cpu"):
        if not isinstance(device, (str, int, Device)):
            raise TypeError(
                f"Generator(): argument 'device' (position 1) must be torch.device, not {type(device).__name__}"
            )
        device = Device(device)
        if device.type == "meta":
            raise TorchError("META device type not an accelerator: nothing can be drawn there")
        if device.type == "cuda":
            if not is_built():
                raise TorchError(
                    "Cannot get CUDA generator without ATen_cuda library: CuPy, which stands for it, is not installed. "
                    "pip install 'annotated-src[cuda12]' (or cuda13)"
                )
            cuda_module()
            device = Device("cuda", device.index or 0)
        super().__init__(default_rng_seed_val, device)

    def manual_seed(self, seed):
        """Begin anew at `seed`, an int of 64 bits; a negative one counts back from 2**64. Returns the generator."""
        self.set_current_seed(_unpack_seed(seed))
        return self

    def initial_seed(self):
        """What the generator was last seeded with."""
        return self.current_seed()

    def set_state(self, new_state):
        """Go on where `get_state` was called; returns the generator."""
        super().set_state(new_state)
        return self

    def clone_state(self):
        """A new generator that stands where this one does."""
        return self.clone()

    def __reduce__(self):
        # A CPU generator has no offset: None stands in its place.
        return Generator, (self.device,), (self.initial_seed(), None, self.get_state())

    def __setstate__(self, state):
        seed, _offset, engine = state
        self.manual_seed(seed)
        self.set_state(engine)


def _unpack_seed(seed):
    if isinstance(seed, numpy.integer):
        raise TypeError(f"an integer is required, but got {type(seed).__name__}; write int(seed)")
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise TorchError(f"manual_seed expected a long, but got {type(seed).__name__}; write int(seed)")
    if not -(2**63) <= seed < 2**64:
        raise ValueError(f"Overflow when unpacking long long: a seed lies between -2**63 and 2**64 - 1, but got {seed}")
    return seed & 0xFFFF_FFFF_FFFF_FFFF


set_generator_class(Generator)
default_generator = get_default_generator()
