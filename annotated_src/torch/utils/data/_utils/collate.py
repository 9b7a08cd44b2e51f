"""Collate: from a list of samples to one batch.

Retells torch/utils/data/_utils/collate.py.

    default_collate   with auto-batching: [sample, sample, ...] -> batch; tensors gain a first dimension
    default_convert   with batch_size=None: one sample; NumPy arrays in it become tensors, the rest stays
`collate` looks at the first sample alone and takes the others to be alike. Leaves (tensor, array, number, string) are
looked up by type in `default_collate_fn_map`; containers (mapping, namedtuple, sequence) are walked: their k-th
members, one from each sample, are collated by a further call.

Left out: the refusal of nested and sparse tensors, which do not exist here. In a worker process upstream stacks into
shared memory: that comes with the workers' chapter.
"""

import collections
import copy
import re
from collections.abc import Callable

import numpy as np

from annotated_src import torch

# The letters of NumPy's dtypes for bytes, strings and objects: what no tensor can hold.
np_str_obj_array_pattern = re.compile(r"[SaUO]")


def default_convert(data):
    """Turn the NumPy arrays in one sample into tensors, in containers too (torch.utils.data.default_convert).

    Tensors, plain numbers and strings stay as they are; a tuple becomes a list.

    >>> import numpy as np
    >>> from annotated_src.torch.utils.data import default_convert
    >>> default_convert({"x": np.array([1, 2]), "y": "a"})
    {'x': tensor([1, 2]), 'y': 'a'}
    """
    elem_type = type(data)
    if isinstance(data, torch.Tensor):
        return data

    if elem_type.__module__ == "numpy" and elem_type.__name__ not in ("str_", "string_"):
        if elem_type is np.ndarray and np_str_obj_array_pattern.search(data.dtype.str):
            return data
        return torch.as_tensor(data)

    if isinstance(data, collections.abc.Mapping):
        try:
            # A copy keeps what else a mapping has: a default factory, say.
            clone = copy.copy(data) if isinstance(data, collections.abc.MutableMapping) else None
            converted = {key: default_convert(data[key]) for key in data}
            if clone is None:
                return elem_type(converted)
            clone.update(converted)
            return clone
        except TypeError:
            # Not every mapping can be copied, or made from a dict.
            return {key: default_convert(data[key]) for key in data}

    if isinstance(data, tuple):
        converted = [default_convert(member) for member in data]
        return elem_type(*converted) if hasattr(data, "_fields") else converted

    if isinstance(data, collections.abc.Sequence) and not isinstance(data, (str, bytes)):
        try:
            if not isinstance(data, collections.abc.MutableSequence):
                return elem_type([default_convert(member) for member in data])
            clone = copy.copy(data)
            for position, member in enumerate(data):
                clone[position] = default_convert(member)
            return clone
        except TypeError:
            # A range, for one, cannot be made from a list.
            return [default_convert(member) for member in data]

    return data


default_collate_err_msg_format = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}. "
    "Convert such samples in the dataset, or give DataLoader a collate_fn that knows them."
)


def collate(batch, *, collate_fn_map: dict[type | tuple[type, ...], Callable] | None = None):
    """Merge a list of like samples into one batch, leaves by `collate_fn_map` (torch/utils/data/_utils/collate.py).

    A function in the map is called as `fn(samples, collate_fn_map=...)`. TypeError for a type that is neither in the
    map nor a container; RuntimeError for sequences of unequal length.

    >>> from annotated_src.torch.utils.data._utils.collate import collate
    >>> collate([(1, "a"), (2, "b")], collate_fn_map={int: lambda batch, *, collate_fn_map: sum(batch),
    ...                                               str: lambda batch, *, collate_fn_map: "".join(batch)})
    [3, 'ab']
    """
    elem = batch[0]
    elem_type = type(elem)

    if collate_fn_map is not None:
        # By exact type first, which is fast; then by the first entry of which it is an instance.
        exact = collate_fn_map.get(elem_type)
        if exact is not None:
            return exact(batch, collate_fn_map=collate_fn_map)
        for collate_type, collate_fn in collate_fn_map.items():
            if isinstance(elem, collate_type):
                return collate_fn(batch, collate_fn_map=collate_fn_map)

    if isinstance(elem, collections.abc.Mapping):
        try:
            clone = copy.copy(elem) if isinstance(elem, collections.abc.MutableMapping) else None
            columns = {key: collate([d[key] for d in batch], collate_fn_map=collate_fn_map) for key in elem}
            if clone is None:
                return elem_type(columns)
            clone.update(columns)
            return clone
        except TypeError:
            return {key: collate([d[key] for d in batch], collate_fn_map=collate_fn_map) for key in elem}

    if isinstance(elem, tuple) and hasattr(elem, "_fields"):
        return elem_type(*[collate(column, collate_fn_map=collate_fn_map) for column in zip(*batch, strict=False)])

    if not isinstance(elem, collections.abc.Sequence):
        raise TypeError(default_collate_err_msg_format.format(elem_type))

    lengths = [len(sample) for sample in batch]
    if lengths.count(lengths[0]) != len(lengths):
        raise RuntimeError(
            f"each element in list of batch should be of equal size, but the samples have {lengths} members: "
            "the k-th members of all samples are merged. Pad the samples, or give DataLoader a collate_fn that does."
        )
    # From a sample a row to a column a member.
    columns = list(zip(*batch, strict=False))
    if isinstance(elem, tuple):
        return [collate(column, collate_fn_map=collate_fn_map) for column in columns]
    try:
        if not isinstance(elem, collections.abc.MutableSequence):
            return elem_type([collate(column, collate_fn_map=collate_fn_map) for column in columns])
        clone = copy.copy(elem)
        for position, column in enumerate(columns):
            clone[position] = collate(column, collate_fn_map=collate_fn_map)
        return clone
    except TypeError:
        return [collate(column, collate_fn_map=collate_fn_map) for column in columns]


def collate_tensor_fn(batch, *, collate_fn_map: dict[type | tuple[type, ...], Callable] | None = None):
    # (...) each -> (len(batch), ...)
    if torch.utils.data.get_worker_info() is not None:
        raise NotImplementedError(
            "Collating tensors in a worker process is not there yet: it needs shared memory. Use num_workers=0."
        )
    return torch.stack(batch, 0)


def collate_numpy_array_fn(batch, *, collate_fn_map: dict[type | tuple[type, ...], Callable] | None = None):
    elem = batch[0]
    if np_str_obj_array_pattern.search(elem.dtype.str):
        raise TypeError(default_collate_err_msg_format.format(elem.dtype))
    return collate([torch.as_tensor(array) for array in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch, *, collate_fn_map: dict[type | tuple[type, ...], Callable] | None = None):
    return torch.as_tensor(batch)


def collate_float_fn(batch, *, collate_fn_map: dict[type | tuple[type, ...], Callable] | None = None):
    # A Python float has 64 bits, and none of them is dropped.
    return torch.tensor(batch, dtype=torch.float64)


def collate_int_fn(batch, *, collate_fn_map: dict[type | tuple[type, ...], Callable] | None = None):
    return torch.tensor(batch)


def collate_str_fn(batch, *, collate_fn_map: dict[type | tuple[type, ...], Callable] | None = None):
    return batch


# In the order in which `collate` tries them on an instance: np.float64 is a float as well, and is met first.
default_collate_fn_map: dict[type | tuple[type, ...], Callable] = {
    torch.Tensor: collate_tensor_fn,
    np.ndarray: collate_numpy_array_fn,
    (np.bool_, np.number, np.object_): collate_numpy_scalar_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


def default_collate(batch):
    """Merge a list of samples into a batch with a new first dimension (torch.utils.data.default_collate).

    Tensors and arrays are stacked, numbers become a tensor, strings stay a list; dicts and namedtuples keep their
    type, a tuple becomes a list. TypeError for other types, RuntimeError for samples of unequal size.

    >>> from annotated_src.torch.utils.data import default_collate
    >>> default_collate([(1, "a"), (2, "b")])
    [tensor([1, 2]), ('a', 'b')]
    >>> default_collate([{"x": 1.5}, {"x": 2.0}])
    {'x': tensor([1.5000, 2.0000], dtype=torch.float64)}
    """
    return collate(batch, collate_fn_map=default_collate_fn_map)
