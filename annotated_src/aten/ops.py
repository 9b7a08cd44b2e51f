"""The operators as Python callables: `ops.add(x, y)`.

Retells torch/_ops.py's OpOverload and OpOverloadPacket, and the generated at::_ops.

    ops.add            an OpOverloadPacket: all operators named aten::add; a call picks the one whose schema fits
    ops.add.Tensor     an OpOverload: one schema; a call goes to the dispatcher

Kernels made of other operators call them from here, never through `torch`. `torch.add` and `Tensor.add` are
this very packet: upstream generates a C++ wrapper for each, which parses the arguments and calls the operator.

Deviation: upstream keeps these classes in torch/_ops.py, above the dispatcher that is C++. Here kernels need them
as well, so they stand in aten; torch/_ops.py adds the namespaces (`torch.ops.aten`) over them.
"""

from types import MethodType

from annotated_src.aten.core.dispatch.dispatcher import singleton as dispatcher
from annotated_src.aten.core.python_arg_parser import ArgParser, only_gathered, types_decide
from annotated_src.c10.core import dispatch_key
from annotated_src.c10.core.tensor_impl import TensorImpl

_tls = dispatch_key.tls
_CPU_KEYS = dispatch_key.TENSOR_KEYS["cpu"]


def _key_set_of_all(values):
    keys = 0
    for value in values:
        if isinstance(value, TensorImpl):
            keys |= value.key_set
    return keys


def _key_set_of_device(kwargs):
    """No tensor among the arguments: `device=` decides (the BackendSelect key upstream)."""
    device = kwargs.get("device")
    return _CPU_KEYS if device is None else dispatch_key.TENSOR_KEYS[device.type]


class OpOverload:
    """One operator with one schema, `aten::add.Tensor`.

    >>> from annotated_src import torch
    >>> torch.ops.aten.add.Tensor
    <OpOverload(op='aten.add', overload='Tensor')>
    >>> torch.ops.aten.add.Tensor(torch.ones(2), torch.ones(2))
    tensor([2., 2.])
    """

    __slots__ = ("_kernels", "_overloadname", "_overloadpacket", "entry", "__weakref__")

    def __init__(self, packet, entry):
        self._overloadpacket = packet
        self._overloadname = entry.overload_name or "default"
        self.entry = entry
        # The entry's own dict, so that a call looks up its kernel without asking the entry.
        self._kernels = entry._kernels_by_key_set

    def __call__(self, /, *args, **kwargs):
        # The union of the key sets of all tensors among the arguments, and of those in lists.
        keys = 0
        for value in args:
            if type(value) is int:
                continue
            if isinstance(value, TensorImpl):
                keys |= value.key_set
            elif isinstance(value, (list, tuple)):
                for item in value:
                    if isinstance(item, TensorImpl):
                        keys |= item.key_set
                    elif type(item) is int:
                        # Sizes: a list of ints holds nothing else.
                        break
        if kwargs:
            keys |= _key_set_of_all(kwargs.values())
        # Without any tensor, the device decides. What this thread adds or hides comes last.
        local = _tls.local
        keys = ((keys or _key_set_of_device(kwargs)) | local.included) & ~local.excluded
        kernel = self._kernels.get(keys)
        if kernel is None:
            kernel = self.entry.lookup(keys)
        return kernel(*args, **kwargs) if kwargs else kernel(*args)

    def redispatch(self, /, keyset, *args, **kwargs):
        """Call the kernel of the highest key of `keyset` (an int), whatever the arguments' own keys are."""
        return self.entry.lookup(keyset)(*args, **kwargs)

    @property
    def _schema(self):
        return self.entry.schema

    @property
    def namespace(self):
        """What stands before `::`."""
        return self.entry.name.partition("::")[0]

    def name(self):
        """`aten::add.Tensor`."""
        return self.entry.full_name

    @property
    def overloadpacket(self):
        """The packet that this operator belongs to."""
        return self._overloadpacket

    @property
    def __name__(self):
        return f"{self._overloadpacket.__name__}.{self._overloadname}"

    def has_kernel_for_dispatch_key(self, k):
        """Whether a kernel is filed under this very key."""
        return k in self.entry.kernels

    def __str__(self):
        return f"{self._overloadpacket}.{self._overloadname}"

    def __repr__(self):
        return f"<OpOverload(op='{self._overloadpacket}', overload='{self._overloadname}')>"


class GatheringCall:
    """`x.view(2, 3)` once it is known: everything from position `first` on goes into one list."""

    __slots__ = ("first", "overload")

    def __init__(self, overload, first):
        self.overload = overload
        self.first = first

    def __call__(self, /, *args, **kwargs):
        return self.overload(*args[: self.first], args[self.first :], **kwargs)


def _type_or_types(value):
    """The type of an argument; of a list, which types are in it."""
    if isinstance(value, (list, tuple)):
        return frozenset(map(type, value))
    return type(value)


class OpOverloadPacket:
    """All operators of one name, `aten::add`; a call finds the overload that its arguments fit.

    As an attribute of a class it binds like a function, so that `Tensor.add` is this object too.

    >>> from annotated_src import torch
    >>> torch.add is torch.ops.aten.add, torch.add.overloads()
    (True, ['Tensor', 'Scalar', 'out'])
    """

    def __init__(self, qualified_op_name):
        self._qualified_op_name = qualified_op_name
        self.__name__ = qualified_op_name.partition("::")[2]
        # Where arguments of these types go; see ArgParser.
        self._overload_by_types = {}
        self._kind = self._kind_of_arguments()
        self._parser = None

    def __get__(self, instance, owner=None):
        return self if instance is None else MethodType(self, instance)

    def __call__(self, /, *args, **kwargs):
        types = tuple(map(self._kind, args))
        if kwargs:
            types = (types, *kwargs, *map(self._kind, kwargs.values()))
        overload = self._overload_by_types.get(types)
        if overload is None:
            if "requires_grad" in kwargs:
                return self._call_with_requires_grad(args, kwargs)
            overload, args, kwargs = self._parse(types, args, kwargs)
        return overload(*args, **kwargs) if kwargs else overload(*args)

    def _call_with_requires_grad(self, args, kwargs):
        """`torch.ones(2, requires_grad=True)`: no schema knows this argument; it is set on a factory's result."""
        kwargs = dict(kwargs)
        requires_grad = kwargs.pop("requires_grad")
        first = next(iter(dispatcher.operators[self._qualified_op_name].values()))
        if "ScalarType? dtype" not in first.schema_text:
            raise TypeError(f"{self.__name__}() got an unexpected keyword argument 'requires_grad'")
        if not isinstance(requires_grad, bool):
            raise TypeError(
                f"{self.__name__}(): argument 'requires_grad' must be bool, not {type(requires_grad).__name__}"
            )
        result = self(*args, **kwargs)
        return _set_requires_grad(result, requires_grad)

    def _kind_of_arguments(self):
        """What of an argument decides between the overloads; where none takes a list, only the type."""
        overloads = dispatcher.operators.get(self._qualified_op_name, {}).values()
        arguments = [entry.schema_text.partition(" -> ")[0] for entry in overloads]
        return _type_or_types if "[" in "".join(arguments) else type

    def _parse(self, types, args, kwargs):
        """Which overload takes these arguments, and the arguments as its schema has them."""
        if self._parser is None:
            self._parser = ArgParser(self)
        overload, parsed_args, parsed_kwargs = self._parser.parse(args, kwargs)
        if parsed_args is args and parsed_kwargs is kwargs and types_decide(args, kwargs):
            self._overload_by_types[types] = overload
        elif parsed_kwargs is kwargs and only_gathered(overload._schema, args, parsed_args):
            self._overload_by_types[types] = GatheringCall(overload, len(parsed_args) - 1)
        return overload, parsed_args, parsed_kwargs

    def __getattr__(self, key):
        """`ops.add.Tensor`: made at the first look, kept as an attribute from then on."""
        overload_name = "" if key == "default" else key
        entry = None
        if not key.startswith("__"):
            entry = dispatcher.find_schema(self._qualified_op_name, overload_name)
        if entry is None:
            raise AttributeError(
                f"The underlying op of '{self._dotted_name()}' has no overload name '{key}'; "
                f"it has: {', '.join(self.overloads())}"
            )
        overload = OpOverload(self, entry)
        setattr(self, key, overload)
        return overload

    def overloads(self):
        """The overload names, in the order of their definition; the unnamed one is 'default'."""
        return [name or "default" for name in dispatcher.overloads(self._qualified_op_name)]

    def forget(self):
        """Drop what was remembered of the overloads: one was defined or removed."""
        for name in list(vars(self)):
            if isinstance(vars(self)[name], OpOverload):
                delattr(self, name)
        self._overload_by_types.clear()
        self._kind = self._kind_of_arguments()
        self._parser = None

    def _dotted_name(self):
        return self._qualified_op_name.replace("::", ".")

    def __str__(self):
        return self._dotted_name()

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self._dotted_name()}')>"


_set_requires_grad = None


def set_requires_grad_setter(function):
    """Register what a factory does about `requires_grad=`; autograd, which knows, lies above."""
    global _set_requires_grad
    _set_requires_grad = function


_packets = {}


def packet(qualified_op_name):
    """The one packet of this name, `aten::add`."""
    found = _packets.get(qualified_op_name)
    if found is None:
        found = _packets[qualified_op_name] = OpOverloadPacket(qualified_op_name)
    return found


def __getattr__(name):
    """`ops.add` for every operator of namespace aten; kept as an attribute of the module after the first look."""
    if not dispatcher.overloads(f"aten::{name}"):
        raise AttributeError(f"there is no operator aten::{name}")
    found = globals()[name] = packet(f"aten::{name}")
    return found
