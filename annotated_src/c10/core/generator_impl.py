"""GeneratorImpl: what every random number generator has. Retells c10/core/GeneratorImpl.h.

Left out: the lock; Python's own serializes what matters here.
"""


class GeneratorImpl:
    """A source of random numbers on one device; the CPU's is aten/cpu_generator_impl.py."""

    __slots__ = ("_device", "__weakref__")

    def __init__(self, device):
        self._device = device

    @property
    def device(self):
        """Where the numbers are drawn."""
        return self._device
