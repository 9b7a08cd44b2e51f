"""Kernels that look at memory another way, and those that join memory. Retells aten/src/ATen/native/TensorShape.cpp.

    views     view, select, slice, transpose, expand ...: no element moves; the result shares `self`'s storage and
              version counter (`make_view`)
    joins     cat, stack, repeat ...: the elements are copied to a new tensor
    reshape   a view where the strides allow one, else a copy

Traps: NumPy makes a scalar of `array[3]` where nothing but one element is left (a trailing `...` keeps a 0-d view), and
gives a new dimension stride 0 where upstream computes one. Strides are promised to be upstream's.

Deviation: upstream's view kernels compute sizes and strides and call aten::as_strided; here NumPy's own indexing,
which is faster, does both, and `as_strided` is for what it cannot say.

Left out: sparse, quantized and named tensors.
"""


from annotated_src.aten import ops
from annotated_src.aten.expand_utils import infer_size as broadcast_shape
from annotated_src.aten.infer_size import infer_size
from annotated_src.aten.tensor_iterator import check_same_device, finish, result_type
from annotated_src.aten.tensor_utils import compute_stride, restride, strides_of
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.memory_format import contiguous_format
from annotated_src.c10.core.scalar_type import can_cast
from annotated_src.c10.core.tensor_impl import make_tensor, make_view
from annotated_src.c10.core.wrap_dim_minimal import dim_list_to_bitset, maybe_wrap_dim, maybe_wrap_dims, size_along

# `slice` is about to become a kernel's name.
_python_slice = slice
_WHOLE = slice(None)


def _change_view(self, array):
    """Make `self` look at its memory through `array`: the in-place forms of view operators."""
    # Asked for now, the storage is that of the array which `self` is about to lose.
    self.storage_impl  # noqa: B018
    self.array = array
    return self


# -- one dimension less, or shorter


def select(self, dim, index):
    """Position `index` of dimension `dim`; the dimension is gone."""
    array = self.array
    if dim:
        return _select_behind_others(self, dim, index)
    try:
        return make_view(self, array[index, ...])
    except IndexError:
        raise _select_error(self, dim, index) from None


def _select_behind_others(self, dim, index):
    array = self.array
    if array.ndim == 0:
        raise _select_error(self, dim, index)
    before = (_WHOLE,) * maybe_wrap_dim(dim, array.ndim)
    try:
        return make_view(self, array[(*before, index, ...)])
    except IndexError:
        raise _select_error(self, dim, index) from None


def _select_error(self, dim, index):
    if self.array.ndim == 0:
        return IndexError("select() cannot be applied to a 0-dim tensor.")
    sizes = list(self.array.shape)
    return IndexError(f"select(): index {index} out of range for tensor of size {sizes} at dimension {dim}")


def slice(self, dim=0, start=None, end=None, step=1):
    """Every `step`-th position of dimension `dim`, from `start` up to `end`; out-of-range ends are moved inside."""
    array = self.array
    if array.ndim == 0:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    dim = maybe_wrap_dim(dim, array.ndim)
    if step <= 0:
        raise RuntimeError("slice step must be positive: a tensor has no negative strides; use x.flip(dim) to reverse")
    size = array.shape[dim]
    start = _clamp_position(0 if start is None else start, size)
    end = max(_clamp_position(size if end is None else end, size), start)
    if dim == 0:
        return make_view(self, array[start:end:step])
    return make_view(self, array[(_WHOLE,) * dim + (_python_slice(start, end, step),)])


def _clamp_position(position, size):
    if position < 0:
        position += size
    return min(max(position, 0), size)


def narrow(self, dim, start, length):
    """`length` positions of dimension `dim` from `start` on."""
    ndim = self.array.ndim
    if ndim == 0:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError(f"narrow(): length must be non-negative. Got {length}")
    dim = maybe_wrap_dim(dim, ndim)
    size = self.array.shape[dim]
    if not -size <= start <= size:
        raise IndexError(f"start out of range (expected to be in range of [{-size}, {size}], but got {start})")
    if start < 0:
        start += size
    if start > size - length:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return ops.slice.Tensor(self, dim, start, start + length, 1)


def narrow_tensor(self, dim, start, length):
    """narrow() whose start is a 0-d integer tensor."""
    if start.array.ndim or start.dtype.is_floating_point or start.dtype.is_complex:
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    return ops.narrow.default(self, dim, start.item(), length)  # D2H: a view is made for a number


def diagonal(self, offset=0, dim1=0, dim2=1):
    """The elements whose positions in `dim1` and `dim2` differ by `offset`; both dimensions become one, the last."""
    array = self.array
    first, second = maybe_wrap_dim(dim1, array.ndim), maybe_wrap_dim(dim2, array.ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    strides = strides_of(array)
    rows, columns = array.shape[first], array.shape[second]
    length = max(min(rows, columns - offset) if offset >= 0 else min(rows + offset, columns), 0)
    skipped = offset * strides[second] if offset >= 0 else -offset * strides[first]
    others = [dim for dim in range(array.ndim) if dim not in (first, second)]
    sizes = (*[array.shape[dim] for dim in others], length)
    new_strides = (*[strides[dim] for dim in others], strides[first] + strides[second])
    # An empty diagonal begins where the tensor does: its offset might lie outside the memory.
    offset_in_storage = self.storage_offset() + (skipped if length else 0)
    return make_view(self, self.storage_impl.as_strided(array.dtype, sizes, new_strides, offset_in_storage))


def unfold(self, dimension, size, step):
    """Windows of `size` along `dimension`, `step` apart; their elements are the new last dimension."""
    array = self.array
    dim = maybe_wrap_dim(dimension, array.ndim)
    length = array.shape[dim] if array.ndim else 1
    stride = strides_of(array)[dim] if array.ndim else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > length:
        raise RuntimeError(f"maximum size for tensor at dimension {dim} is {length} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    sizes, strides = [*array.shape, size], [*strides_of(array), stride]
    if array.ndim:
        sizes[dim] = (length - size) // step + 1
        strides[dim] = step * stride
    return make_view(self, restride(array, sizes, strides))


# -- the same elements, another shape


def view(self, size):
    """The same elements in the same order in another shape; RuntimeError where only a copy could be that."""
    array = self.array
    if array.flags.c_contiguous and 1 not in array.shape:
        try:
            seen = array.reshape(size)
        except ValueError:
            infer_size(size, array.size)
            raise
        # Any negative number is -1 to the array module.
        if seen.shape == size or min(size, default=0) >= -1:
            return make_view(self, seen)
    sizes = infer_size(size, array.size)
    # The stride of a dimension of size 1 can be anything, and is kept as it is where the dimension is.
    strides = compute_stride(array.shape, strides_of(array), sizes)
    if strides is None:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across "
            "two contiguous subspaces). Use .reshape(...) instead. "
            f"Asked for {list(sizes)} of sizes {list(array.shape)}, strides {list(strides_of(array))}"
        )
    return make_view(self, restride(array, sizes, strides))


def view_dtype(self, dtype):
    """The same bytes read as another dtype; the last dimension grows or shrinks if the element size changes."""
    array = self.array
    source = self.dtype
    if dtype.itemsize == source.itemsize:
        return make_view(self, array.view(dtype.numpy))
    what = f"to view {source.cpp_name} as {dtype.cpp_name} (different element sizes)"
    if array.ndim == 0:
        raise RuntimeError(f"self.dim() cannot be 0 {what}")
    if strides_of(array)[-1] != 1:
        raise RuntimeError(f"self.stride(-1) must be 1 {what}, but got {strides_of(array)[-1]}")
    if dtype.itemsize > source.itemsize:
        _check_larger_elements(self, dtype.itemsize // source.itemsize, what)
    return make_view(self, array.view(dtype.numpy))


def _check_larger_elements(self, ratio, what):
    """The wider elements must begin where they did, and fill each row."""
    sizes, strides = self.array.shape, strides_of(self.array)
    if sizes[-1] % ratio:
        raise RuntimeError(f"self.size(-1) must be divisible by {ratio} {what}, but got {sizes[-1]}")
    if self.storage_offset() % ratio:
        raise RuntimeError(
            f"self.storage_offset() must be divisible by {ratio} {what}, but got {self.storage_offset()}"
        )
    for dim, stride in enumerate(strides[:-1]):
        if stride % ratio:
            raise RuntimeError(f"self.stride({dim}) must be divisible by {ratio} {what}, but got {stride}")


def _unsafe_view(self, size):
    """view() of a tensor that nobody else knows, and which is therefore not counted as a view."""
    return make_tensor(self.array.reshape(infer_size(size, self.array.size)))


def reshape(self, shape):
    """A view of `shape` where the strides allow it, else a copy."""
    array = self.array
    if array.flags.c_contiguous:
        return ops.view.default(self, shape)
    sizes = infer_size(shape, array.size)
    strides = compute_stride(array.shape, strides_of(array), sizes)
    if strides is not None:
        return ops._reshape_alias.default(self, sizes, strides)
    return ops._unsafe_view.default(ops.clone.default(self, memory_format=contiguous_format), sizes)


def _reshape_alias(self, size, stride):
    """The view that reshape() makes of a tensor with gaps in its memory: what view() would find out is known there."""
    return make_view(self, restride(self.array, size, stride))


def view_as(self, other):
    """view() with the other's sizes."""
    return ops.view.default(self, other.array.shape)


def reshape_as(self, other):
    """reshape() with the other's sizes."""
    return ops.reshape.default(self, other.array.shape)


def flatten(self, start_dim=0, end_dim=-1):
    """The dimensions from `start_dim` to `end_dim`, both included, made one."""
    sizes = self.array.shape
    start_dim, end_dim = maybe_wrap_dim(start_dim, len(sizes)), maybe_wrap_dim(end_dim, len(sizes))
    if start_dim > end_dim:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    # reshape() the kernel, not the operator, as upstream.
    if not sizes:
        return reshape(self, (1,))
    if start_dim == end_dim:
        return self
    length = 1
    for size in sizes[start_dim : end_dim + 1]:
        length *= size
    return reshape(self, (*sizes[:start_dim], length, *sizes[end_dim + 1 :]))


def unflatten(self, dim, sizes):
    """Dimension `dim` taken apart into `sizes`, of which one may be -1."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    try:
        inferred = infer_size(sizes, size_along(self.array, dim))
    except (RuntimeError, IndexError) as error:
        raise _unflatten_error(self, dim, sizes, error) from None
    return ops.view.default(self, (*self.array.shape[:dim], *inferred, *self.array.shape[dim + 1 :]))


def _unflatten_error(self, dim, sizes, error):
    if "is invalid for input" not in str(error):
        return RuntimeError(f"unflatten got an unexpected error: {error}")
    return RuntimeError(
        f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {dim} "
        f"({self.array.shape[dim]}) in the input tensor"
    )


def ravel(self):
    """The elements in one dimension: a view of a contiguous tensor, else a copy."""
    return ops.view.default(ops.contiguous.default(self), (-1,))


def unsqueeze(self, dim):
    """A new dimension of size 1 before dimension `dim`."""
    return make_view(self, _unsqueezed(self.array, dim))


def unsqueeze_(self, dim):
    """unsqueeze() in place."""
    return _change_view(self, _unsqueezed(self.array, dim))


def _unsqueezed(array, dim):
    sizes = array.shape
    dim = maybe_wrap_dim(dim, len(sizes) + 1)
    if array.flags.c_contiguous and 1 not in sizes:
        return array.reshape((*sizes[:dim], 1, *sizes[dim:]))
    strides = strides_of(array)
    stride = sizes[dim] * strides[dim] if dim < len(sizes) else 1
    return restride(array, (*sizes[:dim], 1, *sizes[dim:]), (*strides[:dim], stride, *strides[dim:]))


def squeeze(self):
    """Without the dimensions of size 1."""
    return make_view(self, _squeezed(self.array, range(self.array.ndim)))


def squeeze_dim(self, dim):
    """Without dimension `dim`, if its size is 1."""
    return make_view(self, _squeezed(self.array, [maybe_wrap_dim(dim, self.array.ndim)]))


def squeeze_dims(self, dim):
    """Without those of the dimensions `dim` whose size is 1."""
    return make_view(self, _squeezed(self.array, dim_list_to_bitset(dim, self.array.ndim)))


def squeeze_(self):
    """squeeze() in place."""
    return _change_view(self, _squeezed(self.array, range(self.array.ndim)))


def squeeze__dim(self, dim):
    """squeeze(dim) in place."""
    return _change_view(self, _squeezed(self.array, [maybe_wrap_dim(dim, self.array.ndim)]))


def squeeze__dims(self, dim):
    """squeeze((dim, ...)) in place."""
    return _change_view(self, _squeezed(self.array, dim_list_to_bitset(dim, self.array.ndim)))


def _squeezed(array, dims):
    gone = [dim in dims and size == 1 for dim, size in enumerate(array.shape)]
    return array[(*[0 if is_gone else _WHOLE for is_gone in gone], ...)]


# -- the same elements, dimensions in another order


def transpose(self, dim0, dim1):
    """Two dimensions change places."""
    return make_view(self, _transposed(self.array, dim0, dim1))


def transpose_(self, dim0, dim1):
    """transpose() in place."""
    return _change_view(self, _transposed(self.array, dim0, dim1))


def _transposed(array, dim0, dim1):
    dim0, dim1 = maybe_wrap_dim(dim0, array.ndim), maybe_wrap_dim(dim1, array.ndim)
    if array.ndim == 0:
        return array[...]
    return array.swapaxes(dim0, dim1)


def t(self):
    """The transpose of a matrix; a vector stays what it is."""
    _check_t(self, "t()")
    return ops.transpose.int(self, 0, 0 if self.array.ndim < 2 else 1)


def t_(self):
    """t() in place."""
    _check_t(self, "t_()")
    return ops.transpose_.default(self, 0, 0 if self.array.ndim < 2 else 1)


def _check_t(self, name):
    if self.array.ndim > 2:
        raise RuntimeError(f"{name} expects a tensor with <= 2 dimensions, but self is {self.array.ndim}D")


def numpy_T(self):
    """The dimensions in reverse order: `x.T`."""
    return ops.permute.default(self, tuple(range(self.array.ndim - 1, -1, -1)))


def mT(self):
    """The last two dimensions change places: `x.mT`."""
    if self.array.ndim == 0:
        return self
    if self.array.ndim < 2:
        raise RuntimeError(
            f"tensor.mT is only supported on matrices or batches of matrices. Got {self.array.ndim}-D tensor."
        )
    return ops.transpose.int(self, -2, -1)


def permute(self, dims):
    """The dimensions in the order `dims`."""
    array = self.array
    if len(dims) != array.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {array.ndim} is not equal to len(dims) = {len(dims)}"
        )
    dims = maybe_wrap_dims(dims, array.ndim)
    if len(set(dims)) != len(dims):
        raise RuntimeError(f"permute(): duplicate dims are not allowed. Got {list(dims)}")
    return make_view(self, array.transpose(dims))


def movedim(self, source, destination):
    """The dimensions `source` moved to `destination`; the others keep their order."""
    ndim = self.array.ndim
    if len(source) != len(destination):
        raise RuntimeError(
            f"movedim: Invalid source or destination dims: source ({list(source)} dims) should contain the same number "
            f"of dims as destination ({list(destination)} dims)"
        )
    from_dims, to_dims = maybe_wrap_dims(source, ndim), maybe_wrap_dims(destination, ndim)
    for name, given, wrapped in (("source", source, from_dims), ("destination", destination, to_dims)):
        if len(set(wrapped)) != len(wrapped):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(given)})")
    if ndim == 0:
        return ops.alias.default(self)
    order = dict(zip(to_dims, from_dims, strict=True))
    others = iter([dim for dim in range(ndim) if dim not in from_dims])
    return ops.permute.default(self, tuple([order[dim] if dim in order else next(others) for dim in range(ndim)]))


def movedim_int(self, source, destination):
    """movedim() of one dimension."""
    return ops.movedim.intlist(self, (source,), (destination,))


def moveaxis(self, source, destination):
    """movedim() by its other name."""
    return ops.movedim.intlist(self, source, destination)


def moveaxis_int(self, source, destination):
    """movedim() by its other name."""
    return ops.movedim.intlist(self, (source,), (destination,))


def swapaxes(self, axis0, axis1):
    """transpose() by its other name."""
    return ops.transpose.int(self, axis0, axis1)


def swapdims(self, dim0, dim1):
    """transpose() by its other name."""
    return ops.transpose.int(self, dim0, dim1)


# -- one element seen in many places


def expand(self, size, *, implicit=False):
    """Dimensions of size 1 seen as many; new ones in front. Nothing is copied: such a dimension's stride is 0."""
    array = self.array
    if len(size) < array.ndim:
        raise RuntimeError(
            f"expand(torch.{self.dtype.cpp_name}Tensor{{{list(array.shape)}}}, size={list(size)}): the number of sizes "
            f"provided ({len(size)}) must be greater or equal to the number of dimensions in the tensor ({array.ndim})"
        )
    sizes, strides = infer_expand_geometry(array.shape, strides_of(array), size)
    return make_view(self, restride(array, sizes, strides))


def infer_expand_geometry(sizes, strides, target):
    """The sizes and strides of `expand(target)`; upstream: ATen/ExpandUtils.h."""
    new = len(target) - len(sizes)
    expanded_sizes, expanded_strides = list(target), [0] * len(target)
    for dim in range(len(target) - 1, -1, -1):
        if dim >= new:
            size, stride = sizes[dim - new], strides[dim - new]
        else:
            size = 1
            stride = expanded_sizes[dim + 1] * expanded_strides[dim + 1] if dim + 1 < len(target) else 0
        wanted = target[dim]
        if wanted == -1 and dim < new:
            raise RuntimeError(
                f"The expanded size of the tensor ({wanted}) isn't allowed in a leading, non-existing dimension {dim}"
            )
        if wanted == -1:
            wanted = size
        if size != wanted and (size != 1 or wanted < 0):
            raise RuntimeError(
                f"The expanded size of the tensor ({wanted}) must match the existing size ({size}) at non-singleton "
                f"dimension {dim}.  Target sizes: {list(target)}.  Tensor sizes: {list(sizes)}"
            )
        expanded_sizes[dim] = wanted
        expanded_strides[dim] = stride if size == wanted else 0
    return expanded_sizes, expanded_strides


def expand_as(self, other):
    """expand() to the other's sizes."""
    return ops.expand.default(self, other.array.shape)


def broadcast_to(self, size):
    """expand() by its other name."""
    return ops.expand.default(self, size)


# -- any view at all


def as_strided(self, size, stride, storage_offset=None):
    """The storage with any sizes, strides and offset; RuntimeError if that reaches outside it."""
    array = self.array
    offset = self.storage_offset() if storage_offset is None else storage_offset
    check_as_strided(self, size, stride, offset)
    return make_view(self, self.storage_impl.as_strided(array.dtype, tuple(size), tuple(stride), offset))


def as_strided_(self, size, stride, storage_offset=None):
    """as_strided() in place."""
    offset = self.storage_offset() if storage_offset is None else storage_offset
    check_as_strided(self, size, stride, offset)
    return _change_view(self, self.storage_impl.as_strided(self.array.dtype, tuple(size), tuple(stride), offset))


def check_as_strided(self, size, stride, offset):
    """RuntimeError unless the storage has an element for every position."""
    size, stride = list(size), list(stride)
    if len(size) != len(stride):
        raise RuntimeError(f"mismatch in length of strides and shape: {stride} and {size}")
    if any(step < 0 for step in stride):
        raise RuntimeError(f"as_strided: Negative strides are not supported at the moment, got strides: {stride}")
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    if 0 in size:
        return
    itemsize, available = self.array.itemsize, self.storage_impl.nbytes()
    elements = 1 + sum((length - 1) * step for length, step in zip(size, stride, strict=True))
    if (offset + elements) * itemsize > available:
        raise RuntimeError(
            f"setStorage: sizes {size}, strides {stride}, storage offset {offset}, and itemsize {itemsize} requiring a "
            f"storage size of {(offset + elements) * itemsize} are out of bounds for storage of size {available}"
        )


def detach(self):
    """A view of the same memory that autograd does not follow."""
    return make_view(self, self.array)


def detach_(self):
    """Cut `self` off from whatever autograd knows about it."""
    return self


def alias(self):
    """The tensor once more: a view of all of it."""
    return make_view(self, self.array)


# -- taking apart


def split(self, split_size, dim=0):
    """Pieces of `split_size` along `dim`; the last may be shorter."""
    if self.array.ndim == 0:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if split_size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={split_size}")
    size = self.array.shape[maybe_wrap_dim(dim, self.array.ndim)]
    if split_size == 0 and size != 0:
        raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {size}")
    count = max(-(-size // split_size), 1) if split_size else 1
    starts = [piece * split_size for piece in range(count)]
    return tuple([ops.narrow.default(self, dim, start, min(split_size, size - start)) for start in starts])


def split_sizes(self, split_size, dim=0):
    """split_with_sizes() by its other name."""
    return ops.split_with_sizes.default(self, split_size, dim)


def split_with_sizes(self, split_sizes, dim=0):
    """Pieces of the given sizes along `dim`."""
    if self.array.ndim == 0:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    dim = maybe_wrap_dim(dim, self.array.ndim)
    size = self.array.shape[dim]
    if any(length < 0 for length in split_sizes):
        raise RuntimeError(
            "split_with_sizes expects split_sizes have only non-negative entries, "
            f"but got split_sizes={list(split_sizes)}"
        )
    if sum(split_sizes) != size:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {size} (input tensor's size at dimension {dim}), "
            f"but got split_sizes={list(split_sizes)}"
        )
    pieces, start = [], 0
    for length in split_sizes:
        # The kernel, not the operator: upstream passes the dispatcher by as well.
        pieces.append(slice(self, dim, start, start + length, 1))
        start += length
    return tuple(pieces)


def chunk(self, chunks, dim=0):
    """At most `chunks` pieces of one size along `dim`; the last may be shorter."""
    if self.array.ndim == 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = self.array.shape[maybe_wrap_dim(dim, self.array.ndim)]
    split_size = -(-size // chunks)
    if split_size == 0:
        # Nothing to share out: as many empty pieces as were asked for.
        return ops.split_with_sizes.default(self, (0,) * chunks, dim)
    return ops.split.Tensor(self, split_size, dim)


def tensor_split_sections(self, sections, dim=0):
    """`sections` pieces along `dim`, whose sizes differ by at most 1."""
    dim = _check_tensor_split(self, dim)
    if sections <= 0:
        raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
    size = self.array.shape[dim]
    pieces, start = [], 0
    for piece in range(sections):
        end = start + size // sections + (piece < size % sections)
        pieces.append(ops.slice.Tensor(self, dim, start, end, 1))
        start = end
    return tuple(pieces)


def tensor_split_indices(self, indices, dim=0):
    """The pieces between these positions along `dim`."""
    dim = _check_tensor_split(self, dim)
    pieces, start = [], 0
    for end in indices:
        pieces.append(ops.slice.Tensor(self, dim, start, end, 1))
        start = end
    pieces.append(ops.slice.Tensor(self, dim, start, self.array.shape[dim], 1))
    return tuple(pieces)


def tensor_split(self, tensor_indices_or_sections, dim=0):
    """tensor_split() whose sections (0-d) or positions (1-d) are a tensor."""
    where = tensor_indices_or_sections
    if where.dtype.name != "int64":
        raise RuntimeError(
            f"tensor_split expected tensor_indices_or_sections to have dtype of long, but got {where.dtype.cpp_name}"
        )
    if where.array.ndim > 1:
        raise RuntimeError(
            "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, "
            f"but got a tensor with {where.array.ndim} dims"
        )
    if where.array.ndim == 0:
        return ops.tensor_split.sections(self, where.item(), dim)  # D2H: into how many parts
    return ops.tensor_split.indices(self, tuple(where.array.tolist()), dim)  # D2H: where the cuts are


def _check_tensor_split(self, dim):
    if self.array.ndim == 0:
        raise RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    return maybe_wrap_dim(dim, self.array.ndim)


def unbind(self, dim=0):
    """The slices of dimension `dim`, one by one."""
    dim = maybe_wrap_dim(dim, self.array.ndim)
    return tuple([ops.select.int(self, dim, index) for index in range(size_along(self.array, dim))])


# -- joining


def cat(tensors, dim=0, *, out=None):
    """The tensors one after the other along `dim`."""
    arrays = [tensor.array for tensor in tensors]
    if out is not None or not arrays or not 0 <= dim < arrays[0].ndim:
        return _cat_checked(tensors, dim, out)
    try:
        joined = array_module(arrays[0]).concatenate(arrays, dim)
    except (ValueError, TypeError):
        return _cat_checked(tensors, dim, out)
    if joined.dtype != arrays[0].dtype:
        # The array module has promoted by its own rules.
        return _cat_checked(tensors, dim, out)
    return make_tensor(joined if joined.flags.c_contiguous else joined.copy())


def _cat_checked(tensors, dim, out):
    """cat() of tensors that do not simply fit: promoted, skipped, or refused with a reason."""
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    for position, tensor in enumerate(tensors):
        if tensor.array.ndim == 0:
            raise RuntimeError(f"zero-dimensional tensor (at position {position}) cannot be concatenated")
    # For the sake of old programs an empty tensor of one dimension fits everywhere.
    joined = [tensor for tensor in tensors if tensor.array.shape != (0,)] or [tensors[0]]
    first = joined[0]
    dim = maybe_wrap_dim(dim, first.array.ndim)
    for position, tensor in enumerate(tensors):
        if tensor.array.shape != (0,):
            check_cat_shape_except_dim(first, tensor, dim, position)
    dtype = cat_result_type(tensors)
    if out is not None and not can_cast(dtype, out.dtype):
        raise TypeError(f"torch.cat(): input types can't be cast to the desired output type {out.dtype.cpp_name}")
    arrays = [tensor.array.astype(dtype.numpy, copy=False) for tensor in joined]
    return finish(array_module(first.array).concatenate(arrays, dim).copy(), out)


def check_cat_shape_except_dim(first, second, dimension, index):
    """RuntimeError unless the two differ at most in dimension `dimension`."""
    check_same_device(first, second)
    a, b = first.array.shape, second.array.shape
    if len(a) != len(b):
        raise RuntimeError(f"Tensors must have same number of dimensions: got {len(a)} and {len(b)}")
    for dim, (expected, size) in enumerate(zip(a, b, strict=True)):
        if dim != dimension and expected != size:
            raise RuntimeError(
                f"Sizes of tensors must match except in dimension {dimension}. Expected size {expected} but got size "
                f"{size} for tensor number {index} in the list."
            )


def cat_result_type(tensors):
    """The dtype in which all of them meet."""
    return result_type(tensors)


def concat(tensors, dim=0):
    """cat() by its other names."""
    return ops.cat.default(tensors, dim)


def concat_out(tensors, dim=0, *, out):
    """cat() by its other names, into `out`."""
    return ops.cat.out(tensors, dim, out=out)


def stack(tensors, dim=0):
    """The tensors, which are of one size, side by side along a new dimension `dim`."""
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    sizes = tensors[0].array.shape
    wrapped_dim = maybe_wrap_dim(dim, len(sizes) + 1)
    check_stack_inputs(tensors)
    if not sizes:
        return _stack_numbers(tensors)
    if wrapped_dim < len(sizes):
        # One after the other, and the joined dimension taken apart: a view.
        joined = ops.cat.default(tensors, wrapped_dim)
        return ops.view.default(joined, (*sizes[:wrapped_dim], len(tensors), *sizes[wrapped_dim:]))
    return ops.cat.default(get_stack_inputs(tensors, dim), dim)


def _stack_numbers(tensors):
    # Deviation: upstream calls unsqueeze for each and cat, as below; for 64 labels that would take ten times as long.
    arrays = [tensor.array for tensor in tensors]
    one_dtype = len({array.dtype for array in arrays}) == 1
    dtype = arrays[0].dtype if one_dtype else cat_result_type(tensors).numpy
    return make_tensor(array_module(arrays[0]).array(arrays, dtype))


def stack_out(tensors, dim=0, *, out):
    """stack() into `out`."""
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    sizes = tensors[0].array.shape
    dim = maybe_wrap_dim(dim, len(sizes) + 1)
    check_stack_inputs(tensors)
    return ops.cat.out(get_stack_inputs(tensors, dim), dim, out=out)


def get_stack_inputs(tensors, dim):
    """Each tensor with the new dimension."""
    return [ops.unsqueeze.default(tensor, dim) for tensor in tensors]


def check_stack_inputs(tensors):
    """RuntimeError that names the first tensor whose size is not the first one's."""
    first = tensors[0].array.shape
    for tensor in tensors:
        if tensor.array.shape != first:
            position = next(i for i, other in enumerate(tensors) if other is tensor)
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 and "
                f"{list(tensor.array.shape)} at entry {position}"
            )


def hstack(tensors):
    """Side by side: cat() along dimension 1, of vectors along dimension 0."""
    if not tensors:
        raise RuntimeError("hstack expects a non-empty TensorList")
    tensors = ops.atleast_1d.Sequence(tensors)
    return ops.cat.default(tensors, 0 if tensors[0].array.ndim == 1 else 1)


def vstack(tensors):
    """One below the other: cat() along dimension 0, of vectors as rows."""
    if not tensors:
        raise RuntimeError("vstack expects a non-empty TensorList")
    return ops.cat.default(ops.atleast_2d.Sequence(tensors), 0)


def row_stack(tensors):
    """vstack() by another name."""
    return ops.vstack.default(tensors)


def dstack(tensors):
    """One behind the other: cat() along dimension 2."""
    if not tensors:
        raise RuntimeError("dstack expects a non-empty TensorList")
    return ops.cat.default(ops.atleast_3d.Sequence(tensors), 2)


def column_stack(tensors):
    """Side by side: cat() along dimension 1, of vectors as columns."""
    if not tensors:
        raise RuntimeError("column_stack expects a non-empty TensorList")
    columns = [ops.reshape.default(x, (x.array.size, 1)) if x.array.ndim <= 1 else x for x in tensors]
    return ops.hstack.default(columns)


def repeat(self, repeats):
    """The tensor `repeats[k]` times along dimension k; more repeats than dimensions add dimensions in front."""
    array = self.array
    if len(repeats) < array.ndim:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor: "
            f"got {list(repeats)} for a tensor of {array.ndim} dimensions"
        )
    sizes = (1,) * (len(repeats) - array.ndim) + array.shape
    target = [size * times for size, times in zip(sizes, repeats, strict=True)]
    for length in target:
        if length < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {length}: {target}")
    # Deviation: upstream fills an empty result through windows of it (unfold); the array module has this ready.
    return make_tensor(array_module(array).tile(array, tuple(repeats)))


def tile(self, dims):
    """repeat() that takes missing dimensions for ones."""
    missing = self.array.ndim - len(dims)
    return ops.repeat.default(self, (1,) * missing + tuple(dims))


def broadcast_tensors(tensors):
    """All expanded to the shape they have in common."""
    return expand_outplace(tensors)


def expand_outplace(tensors):
    """Each of the tensors expanded to the shape they have in common; upstream: ATen/ExpandUtils.h."""
    shape = ()
    for tensor in tensors:
        shape = broadcast_shape(shape, tensor.array.shape)
    return tuple([x if x.array.shape == shape else ops.expand.default(x, shape) for x in tensors])


def meshgrid(tensors):
    """meshgrid() with the matrix' order of indices."""
    return ops.meshgrid.indexing(tensors, indexing="ij")


def meshgrid_indexing(tensors, *, indexing):
    """Coordinate grids of vectors: result k varies along dimension k only; "xy" swaps the first two."""
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    for tensor in tensors:
        if tensor.array.ndim > 1:
            raise RuntimeError(
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {list(tensor.array.shape)}"
            )
        if tensor.dtype is not tensors[0].dtype:
            raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    if indexing not in ("ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    swap = indexing == "xy" and len(tensors) >= 2
    tensors = [tensors[1], tensors[0], *tensors[2:]] if swap else list(tensors)
    shape = tuple([tensor.array.size for tensor in tensors])
    grids = []
    for position, tensor in enumerate(tensors):
        alone = [1] * len(shape)
        alone[position] = shape[position]
        grids.append(ops.expand.default(ops.view.default(tensor, tuple(alone)), shape))
    if swap:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


def diag(self, diagonal=0):
    """The matrix with this vector on its diagonal, or the diagonal of this matrix as a copy."""
    if self.array.ndim == 1:
        return ops.diag_embed.default(self, diagonal)
    if self.array.ndim == 2:
        return ops.clone.default(ops.diagonal.default(self, diagonal))
    raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {self.array.ndim}D")


def diag_embed(self, offset=0, dim1=-2, dim2=-1):
    """Matrices, in dimensions `dim1` and `dim2`, whose diagonals are this tensor's last dimension."""
    ndim = self.array.ndim + 1
    first, second = maybe_wrap_dim(dim1, ndim), maybe_wrap_dim(dim2, ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    length = self.array.shape[-1] + abs(offset)
    sizes = list(self.array.shape[:-1])
    for dim in sorted((first, second)):
        sizes.insert(dim, length)
    result = ops.zeros.default(tuple(sizes), dtype=self.dtype, device=self.device)
    ops.copy_.default(ops.diagonal.default(result, offset, first, second), self)
    return result


# -- gradients of views of a part: zeros, with the part's gradient in its place


def select_backward(grad_output, input_sizes, dim, index):
    """The gradient of select."""
    result = ops.zeros(input_sizes, dtype=grad_output.dtype, device=grad_output.device)
    ops.copy_(ops.select(result, dim, index), grad_output)
    return result


def slice_backward(grad_output, input_sizes, dim, start, end, step):
    """The gradient of slice."""
    result = ops.zeros(input_sizes, dtype=grad_output.dtype, device=grad_output.device)
    ops.copy_(ops.slice(result, dim, start, end, step), grad_output)
    return result


def diagonal_backward(grad_output, input_sizes, offset, dim1, dim2):
    """The gradient of diagonal."""
    result = ops.zeros(input_sizes, dtype=grad_output.dtype, device=grad_output.device)
    ops.copy_(ops.diagonal(result, offset, dim1, dim2), grad_output)
    return result
