"""DispatchKey and DispatchKeySet: who gets to handle an operator call, and in which order.

Retells c10/core/DispatchKey.h, DispatchKeySet.h and impl/LocalDispatchKeySet.h.

A tensor carries a set of keys; a call takes the union of its arguments' sets, and the highest key that has a
kernel handles it first. That kernel may do its part (record a graph node) and *redispatch* to the keys below.
An ordinary CPU tensor has

    AutocastCPU > AutogradCPU > ADInplaceOrView > CPU        (an inference tensor: AutocastCPU > CPU)

A set is a plain int with bit k set for key k: `|` unites, `&` intersects, `bit_length() - 1` is the highest key.
DispatchKeySet wraps such an int for people.

Left out: the keys of other backends, functorch, Python modes, named tensors, tracing.
"""

import threading

# From the lowest priority to the highest.
NAMES = (
    "CPU",
    "CUDA",
    "Meta",
    "SparseCPU",
    "SparseCUDA",
    "BackendSelect",
    "ADInplaceOrView",
    "AutogradCPU",
    "AutogradCUDA",
    "AutogradMeta",
    "AutocastCPU",
    "AutocastCUDA",
)

# Not keys of a tensor but shorthands at registration: a kernel filed under an alias serves every key behind it.
ALIASES = {
    "Autograd": ("AutogradCPU", "AutogradCUDA", "AutogradMeta"),
    # A kernel made of other operators: it is differentiable because they are, so it serves Autograd as well.
    "CompositeImplicitAutograd": (
        "CPU", "CUDA", "Meta", "SparseCPU", "SparseCUDA", "AutogradCPU", "AutogradCUDA", "AutogradMeta",
    ),
    # Made of other operators as well, but with a derivative formula of its own.
    "CompositeExplicitAutograd": ("CPU", "CUDA", "Meta", "SparseCPU", "SparseCUDA"),
}  # fmt: skip

INDEX = {name: position for position, name in enumerate(NAMES)}


def bit(name):
    """The set that holds one key."""
    return 1 << INDEX[name]


def key_set(*names):
    """The set that holds these keys."""
    keys = 0
    for name in names:
        keys |= bit(name)
    return keys


AUTOGRAD_KEYS = key_set(*ALIASES["Autograd"])
# What autograd's kernels hide while the kernel below them runs, and what is left then.
AUTOGRAD_AND_INPLACE = AUTOGRAD_KEYS | bit("ADInplaceOrView")
BELOW_AUTOGRAD = bit("ADInplaceOrView") - 1
AUTOCAST_KEYS = key_set("AutocastCPU", "AutocastCUDA")

BACKEND_KEYS = {
    "cpu": key_set("CPU"),
    "cuda": key_set("CUDA"),
    "meta": key_set("Meta"),
}

# The sets of an ordinary tensor, by device type.
TENSOR_KEYS = {
    "cpu": key_set("CPU", "ADInplaceOrView", "AutogradCPU", "AutocastCPU"),
    "cuda": key_set("CUDA", "ADInplaceOrView", "AutogradCUDA", "AutocastCUDA"),
    "meta": key_set("Meta", "ADInplaceOrView", "AutogradMeta"),
}

# Inference tensors record nothing, ever: they lack the keys of those who record.
NOT_INFERENCE = ~(AUTOGRAD_KEYS | bit("ADInplaceOrView"))


class DispatchKeySet:
    """A set of dispatch keys, as `torch._C._dispatch_keys(tensor)` returns it.

    >>> from annotated_src import torch
    >>> torch._C._dispatch_keys(torch.ones(1))
    DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU, AutocastCPU)
    """

    def __init__(self, raw):
        self.raw = raw

    def has(self, name):
        """Whether the key of this name is in the set."""
        return bool(self.raw & bit(name))

    def highestPriorityTypeId(self):
        """The name of the key that is asked first."""
        return NAMES[self.raw.bit_length() - 1] if self.raw else "Undefined"

    def __or__(self, other):
        return DispatchKeySet(self.raw | other.raw)

    def __sub__(self, other):
        return DispatchKeySet(self.raw & ~other.raw)

    def __eq__(self, other):
        return isinstance(other, DispatchKeySet) and self.raw == other.raw

    def __hash__(self):
        return hash(self.raw)

    def __iter__(self):
        return (name for position, name in enumerate(NAMES) if self.raw >> position & 1)

    def __repr__(self):
        return f"DispatchKeySet({', '.join(self)})"


class LocalDispatchKeySet:
    """Keys that a thread adds to, or hides from, every call."""

    __slots__ = ("excluded", "included")

    def __init__(self):
        # Outside of inference mode every write in place is looked at, so that inference tensors can refuse it.
        self.included = bit("ADInplaceOrView")
        self.excluded = 0


class _ThreadLocal(threading.local):
    # One object for both sets: to ask a threading.local takes thrice as long as to ask an object.
    def __init__(self):
        self.local = LocalDispatchKeySet()


# `tls.local` is the LocalDispatchKeySet of the thread that asks.
tls = _ThreadLocal()


class ExcludeDispatchKeyGuard:
    """Within the `with` block this thread's calls pass by the given keys.

    `ExcludeDispatchKeyGuard(AUTOGRAD_KEYS)` is what an autograd kernel holds while the kernel below it runs, so that
    operators called from there record nothing (AutoDispatchBelowAutograd upstream).
    """

    __slots__ = ("keys", "previous")

    def __init__(self, keys):
        self.keys = keys

    def __enter__(self):
        local = tls.local
        self.previous = local.excluded
        local.excluded = self.previous | self.keys

    def __exit__(self, *exception):
        tls.local.excluded = self.previous
