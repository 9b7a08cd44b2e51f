"""Named results: `x.max(0)` is a pair with the names `values` and `indices`.

Retells torch/csrc/utils/structseq.cpp and the generated python_return_types.cpp. torch/return_types.py shows the
classes to users, and that is the name by which they print and pickle.
"""

from operator import itemgetter


class StructSequence(tuple):
    """A tuple whose items have names."""

    __slots__ = ()
    fields = ()

    def __repr__(self):
        items = [f"{name}={item!r}" for name, item in zip(self.fields, self, strict=True)]
        return f"{self.__module__}.{type(self).__name__}(\n" + ",\n".join(items) + ")"

    def __reduce__(self):
        return type(self), (tuple(self),)


class ValuesAndIndices(StructSequence):
    """What a search along a dimension finds: the values, and where they were."""

    __slots__ = ()
    fields = ("values", "indices")
    values = property(itemgetter(0), doc="What was found.")
    indices = property(itemgetter(1), doc="Where it was, along the dimension; int64.")


class aminmax(StructSequence):
    """The smallest and the largest element."""

    __slots__ = ()
    fields = ("min", "max")
    min = property(itemgetter(0), doc="The smallest.")
    max = property(itemgetter(1), doc="The largest.")


def _values_and_indices(name):
    return type(name, (ValuesAndIndices,), {"__slots__": (), "__module__": "torch.return_types"})


cummax = _values_and_indices("cummax")
cummin = _values_and_indices("cummin")
kthvalue = _values_and_indices("kthvalue")
max = _values_and_indices("max")
median = _values_and_indices("median")
min = _values_and_indices("min")
mode = _values_and_indices("mode")
nanmedian = _values_and_indices("nanmedian")
sort = _values_and_indices("sort")
topk = _values_and_indices("topk")

aminmax.__module__ = "torch.return_types"
