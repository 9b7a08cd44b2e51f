"""torch.Size: a shape. Retells torch/csrc/Size.cpp."""


class Size(tuple):
    """The sizes of a tensor's dimensions: a tuple of ints that prints as what it is.

    Upstream: torch/csrc/Size.cpp.

    >>> from annotated_src import torch
    >>> torch.ones(2, 3).shape, torch.ones(2, 3).shape.numel()
    (torch.Size([2, 3]), 6)
    """

    __slots__ = ()

    def numel(self):
        """How many elements a tensor of this shape has."""
        count = 1
        for size in self:
            count *= size
        return count

    def __getitem__(self, index):
        picked = tuple.__getitem__(self, index)
        return Size(picked) if isinstance(index, slice) else picked

    def __add__(self, other):
        joined = tuple.__add__(self, other)
        return Size(joined)

    def __mul__(self, times):
        return Size(tuple.__mul__(self, times))

    __rmul__ = __mul__

    def __repr__(self):
        return f"torch.Size([{', '.join(map(repr, self))}])"

    def __reduce__(self):
        return Size, (tuple(self),)
