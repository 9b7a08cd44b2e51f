"""Pinning: the tensors of a batch, wherever they are in it, moved to page-locked memory.

Retells torch/utils/data/_utils/pin_memory.py.

A copy from page-locked ("pinned") memory to a GPU can run beside other work. In a single process the iterator calls
`pin_memory(batch)` itself, after it is collated.
Invariant: containers keep their type; what is neither a tensor, nor a container, nor has a method `pin_memory` of its
own, is returned as it is.

Left out: `_pin_memory_loop`, the thread that pins what worker processes send; it comes with their chapter.
"""

import collections
import copy

from annotated_src import torch


def pin_memory(data, device=None):
    # A batch of the user's own type says itself how it is pinned.
    if isinstance(data, torch.Tensor) or hasattr(data, "pin_memory"):
        return data.pin_memory()

    if isinstance(data, (str, bytes)):
        return data

    if isinstance(data, collections.abc.Mapping):
        try:
            clone = copy.copy(data) if isinstance(data, collections.abc.MutableMapping) else None
            pinned = {key: pin_memory(member, device) for key, member in data.items()}
            if clone is None:
                return type(data)(pinned)
            clone.update(pinned)
            return clone
        except TypeError:
            # Not every mapping can be copied, or made from a dict.
            return {key: pin_memory(member, device) for key, member in data.items()}

    if isinstance(data, tuple):
        pinned = [pin_memory(member, device) for member in data]
        return type(data)(*pinned) if hasattr(data, "_fields") else type(data)(pinned)

    if isinstance(data, collections.abc.Sequence):
        try:
            if not isinstance(data, collections.abc.MutableSequence):
                return type(data)([pin_memory(member, device) for member in data])
            clone = copy.copy(data)
            for position, member in enumerate(data):
                clone[position] = pin_memory(member, device)
            return clone
        except TypeError:
            # A range, for one, cannot be made from a list.
            return [pin_memory(member, device) for member in data]

    return data
