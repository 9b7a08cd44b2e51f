"""CPUGeneratorImpl: a source of random numbers and where it stands. Retells aten/src/ATen/CPUGeneratorImpl.cpp.

    random(n)      the next n draws of 32 bits        random64(n)   n draws of 64 bits: two of 32, the first one high
    get_state()    all of it as 5056 bytes            set_state(b)  and back, also from real torch's bytes

A normal draw makes two numbers at a time; the second waits in `next_double_normal_sample` for the next call, so it is
part of the state.

Here are also the generators that serve when a caller passes none: one a device type.

Deviation: CUDA tensors are filled from the same engine, on the host, and carried over. So a program draws the same
numbers on both devices, and can be compared with upstream's on the CPU. Upstream's CUDA generator is another one
(Philox, which draws on the card): its numbers differ from ours.
"""

import os

import numpy

from annotated_src.aten.context import lazy_init_device
from annotated_src.aten.core.mt19937_rng_engine import mt19937
from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.device import Device
from annotated_src.c10.core.generator_impl import GeneratorImpl
from annotated_src.c10.core.tensor_impl import TensorImpl, make_tensor
from annotated_src.c10.cuda.cuda_functions import current_device
from annotated_src.c10.util.exception import TorchError

# Where every generator begins that was not seeded, but for the default ones.
default_rng_seed_val = 67280421310721

# The bytes of a state: an old layout (the first ten fields) with the float cache behind it.
CPU_GENERATOR_IMPL_STATE = numpy.dtype(
    [
        ("the_initial_seed", "u8"),
        ("left", "i4"),
        ("seeded", "i4"),
        ("next", "u8"),
        ("state", "u8", 624),
        ("normal_x", "f8"),
        ("normal_y", "f8"),
        ("normal_rho", "f8"),
        ("normal_is_valid", "i4"),
        ("padding", "i4"),
        ("next_float_normal_sample", "f4"),
        ("is_next_float_normal_sample_valid", "i4"),
    ]
)


class CPUGeneratorImpl(GeneratorImpl):
    """A Mersenne Twister and the normal sample that waits."""

    __slots__ = ("engine_", "next_double_normal_sample_", "next_float_normal_sample_")

    def __init__(self, seed_in=default_rng_seed_val, device=None):
        super().__init__(device or Device("cpu"))
        self.engine_ = mt19937(seed_in)
        self.next_float_normal_sample_ = None
        self.next_double_normal_sample_ = None

    def set_current_seed(self, seed):
        """Begin anew at `seed` (64 bits)."""
        self.next_float_normal_sample_ = None
        self.next_double_normal_sample_ = None
        self.engine_.seed(seed)

    def current_seed(self):
        """What the stream began with."""
        return self.engine_.seed_

    def seed(self):
        """Begin anew at a seed that nobody can foretell; returns it."""
        random = int.from_bytes(os.urandom(8), "little")
        self.set_current_seed(random)
        return random

    def random(self, count):
        """The next `count` draws of 32 bits, in a uint64 array."""
        return self.engine_(count)

    def random64(self, count):
        """The next `count` draws of 64 bits, in a uint64 array."""
        draws = self.engine_(2 * count)
        return draws[0::2] << 32 | draws[1::2]

    def next_double_normal_sample(self):
        """The normal sample that waits, or None."""
        return self.next_double_normal_sample_

    def set_next_double_normal_sample(self, randn):
        """Let a normal sample wait; None takes it away."""
        self.next_double_normal_sample_ = randn

    def next_float_normal_sample(self):
        """Like next_double_normal_sample; no CPU kernel uses it."""
        return self.next_float_normal_sample_

    def set_next_float_normal_sample(self, randn):
        """Like set_next_double_normal_sample."""
        self.next_float_normal_sample_ = randn

    def get_state(self):
        """A uint8 tensor of 5056 bytes."""
        record = numpy.zeros((), CPU_GENERATOR_IMPL_STATE)
        record["the_initial_seed"] = self.engine_.seed_
        record["left"], record["next"], record["state"] = self.engine_.data()
        record["seeded"] = 1
        if self.next_double_normal_sample_ is not None:
            record["normal_is_valid"] = 1
            record["normal_y"] = self.next_double_normal_sample_
        if self.next_float_normal_sample_ is not None:
            record["is_next_float_normal_sample_valid"] = 1
            record["next_float_normal_sample"] = self.next_float_normal_sample_
        return make_tensor(numpy.frombuffer(bytearray(record.tobytes()), numpy.uint8))

    def set_state(self, new_state):
        """Go on where `get_state` was called."""
        record = _checked_state(new_state)
        self.engine_.set_data(
            int(record["the_initial_seed"]),
            int(record["left"]),
            int(record["seeded"]),
            int(record["next"]),
            record["state"].astype(numpy.uint32),
        )
        self.next_double_normal_sample_ = float(record["normal_y"]) if record["normal_is_valid"] else None
        # In C++ the flag is one byte, with three bytes behind it that mean nothing.
        has_float = int(record["is_next_float_normal_sample_valid"]) & 0xFF
        self.next_float_normal_sample_ = float(record["next_float_normal_sample"]) if has_float else None

    def clone(self):
        """Another generator that stands where this one does."""
        twin = type(self)(device=self._device)
        twin.set_state(self.get_state())
        return twin

    def get_offset(self):
        """Only counter-based generators have an offset."""
        raise TorchError("CPU Generator does not use offset; save and restore it by get_state and set_state")

    def set_offset(self, offset):
        """Only counter-based generators have an offset."""
        raise TorchError("CPU Generator does not use offset; save and restore it by get_state and set_state")


def _checked_state(new_state):
    """The fields of a state tensor; an error where it is none."""
    if not isinstance(new_state, TensorImpl):
        raise TypeError(f"expected a torch.ByteTensor, but got {type(new_state).__name__}")
    array = new_state.array
    if new_state.dtype is not scalar_type.uint8 or not isinstance(array, numpy.ndarray):
        raise TypeError(
            f"RNG state must be a torch.ByteTensor on the CPU, but got {new_state.dtype} on {new_state.device}; "
            "pass what get_state() or get_rng_state() returned"
        )
    if not array.flags.c_contiguous:
        raise TorchError("RNG state must be contiguous; call .contiguous() on it")
    if array.size != CPU_GENERATOR_IMPL_STATE.itemsize:
        raise TorchError(
            f"Expected a CPUGeneratorImplState of size {CPU_GENERATOR_IMPL_STATE.itemsize} "
            f"but found the input RNG state size to be {array.size}"
        )
    return array.reshape(-1).view(CPU_GENERATOR_IMPL_STATE)[0]


# By device type and index. Made when first asked for; the class is registered by torch/csrc/generator.py.
_default_generators = {}
_generator_class = CPUGeneratorImpl


def set_generator_class(cls):
    """Register the class of the default generators: torch.Generator."""
    global _generator_class
    _generator_class = cls


def get_default_generator(device_type="cpu", index=None):
    """The generator that serves a device's tensors when the caller passes none; it begins at a random seed."""
    if device_type == "cuda":
        # The seed that waits for CUDA to start is then there.
        lazy_init_device("cuda")
        index = current_device() if index is None else index
    found = _default_generators.get((device_type, index))
    if found is None:
        found = _default_generators[device_type, index] = _generator_class(device=Device(device_type, index))
        found.seed()
    return found


def get_generator_or_default(generator, device):
    """The caller's generator, which must be for `device`, or the default one."""
    if generator is None:
        return get_default_generator(device.type, device.index)
    if generator.device.type != device.type:
        raise TorchError(
            f"Expected a '{device.type}' device type for generator but found '{generator.device.type}'; "
            f"make it with torch.Generator('{device.type}')"
        )
    return generator
