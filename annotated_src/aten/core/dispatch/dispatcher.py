"""The dispatcher: which kernel handles this call?

Retells aten/src/ATen/core/dispatch/Dispatcher.h and OperatorEntry.h.

    find_schema(name)  ->  OperatorEntry  ->  lookup(keys)  ->  kernel

Each operator has an OperatorEntry: its schema, and the kernels filed under dispatch keys. A call's key set is the
union of its tensors' sets, less what the thread excludes; of those keys the highest that has a kernel is asked.

Invariant: an answer is remembered per key set, and forgotten when a kernel is registered or removed.

Left out: boxed calls, observers, and the tables of all backends that upstream precomputes.
"""

from annotated_src.aten.core.function_schema import FunctionSchema, split_name
from annotated_src.c10.core.dispatch_key import (
    ALIASES,
    AUTOGRAD_KEYS,
    BELOW_AUTOGRAD,
    INDEX,
    NAMES,
    DispatchKeySet,
    bit,
)
from annotated_src.c10.core.tensor_impl import TensorImpl
from annotated_src.c10.util.exception import TorchError

_CPU = bit("CPU")
# Their positions may be on the CPU.
_ANY_DEVICE = ("aten::index", "aten::index_put_", "aten::_index_put_impl_")

# Asked in this order for a key that has no kernel of its own.
_ALIAS_ORDER = ("CompositeExplicitAutograd", "CompositeImplicitAutograd", "Autograd")


class OperatorEntry:
    """One operator's schema and kernels."""

    __slots__ = ("_kernels_by_key_set", "_schema", "kernels", "name", "overload_name", "schema_text")

    def __init__(self, schema_text):
        self.schema_text = schema_text
        self.name, self.overload_name = split_name(schema_text)
        self._schema = None
        self.kernels = {}
        self._kernels_by_key_set = {}

    @property
    def schema(self):
        """The parsed schema."""
        # Parsed when first asked for: most operators are never called in a given program.
        if self._schema is None:
            self._schema = FunctionSchema(self.schema_text)
        return self._schema

    def register_kernel(self, key, kernel):
        """File `kernel` under a dispatch key or an alias key."""
        if key not in INDEX and key not in ALIASES:
            raise TorchError(f"could not parse dispatch key: {key}; known are {', '.join((*NAMES, *ALIASES))}")
        self.kernels[key] = kernel
        self._kernels_by_key_set.clear()

    def deregister_kernel(self, key):
        """Take away what is filed under `key`."""
        self.kernels.pop(key, None)
        self._kernels_by_key_set.clear()

    def lookup(self, keys):
        """The kernel that handles a call with this key set (an int)."""
        kernel = self._kernels_by_key_set.get(keys)
        if kernel is None:
            kernel = self._resolve(keys)
            self._kernels_by_key_set[keys] = kernel
        return kernel

    def _resolve(self, keys):
        """Ask the keys from the highest down; the first that has a kernel decides."""
        for position in reversed(range(len(NAMES))):
            if keys >> position & 1:
                key = NAMES[position]
                kernel = self._kernel_for_key(key)
                if kernel is not None:
                    return self._with_kernel_below(self._with_device_check(kernel, key, keys), keys)
        raise NotImplementedError(self._no_kernel_message(keys))

    def _with_kernel_below(self, kernel, keys):
        """A kernel that redispatches is told once, per key set, which kernel it redispatches to."""
        keys_below = getattr(kernel, "keys_below", None)
        if keys_below is None:
            return kernel
        # (the bound method, which Python calls faster than an object)
        return kernel.above(self.lookup(keys & keys_below)).__call__

    def _with_device_check(self, kernel, key, keys):
        """A backend's kernel, asked with tensors of two backends: it checks their devices first.

        Composite kernels do not: what they call does.
        """
        if key != "CUDA" or not keys & _CPU or kernel is not self.kernels.get(key) or self.name in _ANY_DEVICE:
            return kernel
        return DeviceCheck(kernel)

    def _kernel_for_key(self, key):
        if key in self.kernels:
            return self.kernels[key]
        for alias in _ALIAS_ORDER:
            if alias in self.kernels and key in ALIASES[alias] and not self._backend_has_its_own(alias, key):
                return self.kernels[alias]
        return None

    def _backend_has_its_own(self, alias, key):
        """A composite kernel does not serve Autograd for a backend that has a kernel of its own."""
        if alias != "CompositeImplicitAutograd" or not AUTOGRAD_KEYS >> INDEX[key] & 1:
            return False
        backend = key.removeprefix("Autograd")
        return backend in self.kernels or f"Sparse{backend}" in self.kernels

    def _no_kernel_message(self, keys):
        # The backend, not one of the keys that stand above all of them.
        wanted = DispatchKeySet(keys & BELOW_AUTOGRAD & ~bit("ADInplaceOrView") or keys).highestPriorityTypeId()
        filed = ", ".join(self.kernels) or "none"
        return (
            f"Could not run '{self.full_name}' with arguments from the '{wanted}' backend. "
            f"Its key set is {DispatchKeySet(keys)}; kernels are registered for: {filed}."
        )

    @property
    def full_name(self):
        """`aten::add.Tensor`."""
        return f"{self.name}.{self.overload_name}" if self.overload_name else self.name


class DeviceCheck:
    """A kernel that wants all tensors on one device; 0-d tensors of the CPU are at home everywhere.

    Deviation: upstream's generated code checks at every call (check_and_update_common_device); here the calls that
    need it are known by their key set, and no other pays for it.
    """

    def __init__(self, kernel):
        self.kernel = kernel

    def __call__(self, *args, **kwargs):
        check_same_device(_tensors([*args, *kwargs.values()]))
        return self.kernel(*args, **kwargs)


def _tensors(values):
    for value in values:
        if isinstance(value, TensorImpl):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)


def check_same_device(tensors):
    """RuntimeError that names two devices, unless there is only one; 0-d tensors of the CPU do not count."""
    first = None
    for tensor in tensors:
        device = tensor.device
        if tensor.ndim == 0 and device.type == "cpu":
            continue
        if first is None:
            first = device
        elif device != first:
            raise TorchError(
                f"Expected all tensors to be on the same device, but found at least two devices, {first} and {device}! "
                f"Move one of them: x.to('{first}')"
            )


class Dispatcher:
    """All operators, by name and overload name."""

    def __init__(self):
        # name -> overload name -> entry, in the order of their definition
        self.operators = {}

    def register_def(self, schema_text):
        """Define an operator; its name and overload must be new."""
        entry = OperatorEntry(schema_text)
        overloads = self.operators.setdefault(entry.name, {})
        known = overloads.get(entry.overload_name)
        if known is not None:
            raise TorchError(
                f"Tried to register an operator ({schema_text}) with the same name and overload name multiple times. "
                f"It is registered as ({known.schema_text})."
            )
        overloads[entry.overload_name] = entry
        return entry

    def deregister_def(self, name, overload_name):
        """Forget an operator."""
        overloads = self.operators.get(name, {})
        overloads.pop(overload_name, None)
        if not overloads:
            self.operators.pop(name, None)

    def find_schema(self, name, overload_name=""):
        """The operator's entry, or None."""
        return self.operators.get(name, {}).get(overload_name)

    def overloads(self, name):
        """The overload names of an operator, in the order of their definition."""
        return list(self.operators.get(name, ()))


singleton = Dispatcher()
