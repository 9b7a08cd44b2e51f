"""Layout: how a tensor's elements are arranged. Retells c10/core/Layout.h and torch/csrc/Layout.cpp (torch.layout).

Left out: the compressed sparse layouts, mkldnn, jagged.
"""


class Layout:
    """One of `torch.strided` (sizes and strides over one storage) and `torch.sparse_coo` (indices and values).

    >>> from annotated_src import torch
    >>> torch.ones(2).layout
    torch.strided
    """

    __slots__ = ("name",)

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"torch.{self.name}"

    def __reduce__(self):
        # One object for ever, like a dtype.
        return _by_name, (self.name,)


strided = Layout("strided")
sparse_coo = Layout("sparse_coo")


def _by_name(name):
    return {"strided": strided, "sparse_coo": sparse_coo}[name]
