"""torch.ops: every operator by namespace and name. Retells torch/_ops.py.

    torch.ops                  _Ops
    torch.ops.aten             _OpNamespace
    torch.ops.aten.add         OpOverloadPacket    (aten/ops.py)
    torch.ops.aten.add.Tensor  OpOverload          (aten/ops.py)

Each is looked up at the first use, and kept as an attribute from then on.

Left out: higher-order operators, Python kernels, modes, classes of the TorchScript registry.
"""

import types

from annotated_src.aten.core.dispatch.dispatcher import singleton as dispatcher
from annotated_src.aten.ops import OpOverload, OpOverloadPacket, packet

__all__ = ["OpOverload", "OpOverloadPacket", "ops"]


class _OpNamespace(types.ModuleType):
    """The operators of one namespace, as attributes."""

    __file__ = "torch.ops"

    def __init__(self, name):
        super().__init__("torch.ops." + name)
        self.name = name
        self._dir = []

    def __iter__(self):
        return iter(self._dir)

    def __getattr__(self, op_name):
        qualified_op_name = f"{self.name}::{op_name}"
        if not dispatcher.overloads(qualified_op_name):
            raise AttributeError(f"'_OpNamespace' '{self.name}' object has no attribute '{op_name}'")
        opoverloadpacket = packet(qualified_op_name)
        setattr(self, op_name, opoverloadpacket)
        self._dir.append(op_name)
        return opoverloadpacket


class _Ops(types.ModuleType):
    """The namespaces, as attributes."""

    __file__ = "_ops.py"

    def __init__(self):
        super().__init__("torch.ops")
        self._dir = []

    def __iter__(self):
        return iter(self._dir)

    def __getattr__(self, name):
        # A namespace is there as soon as somebody asks for it: its operators may be defined later.
        if name.startswith("__"):
            raise AttributeError(f"torch.ops has no attribute '{name}'")
        namespace = _OpNamespace(name)
        setattr(self, name, namespace)
        self._dir.append(name)
        return namespace


ops = _Ops()
