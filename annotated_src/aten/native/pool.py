"""Sizes and checks that all poolings share. Retells aten/src/ATen/native/Pool.h."""

from annotated_src.c10.util.exception import TorchError

_HOW_MANY = {2: "two", 3: "three"}
_LETTERS = {2: "HW", 3: "THW"}


def numbers_for(function, name, values, dims, *, default=None):
    """One number for each dimension; an empty list stands for `default`, where there is one."""
    if isinstance(values, int):
        return (values,) * dims
    if default is not None and len(values) == 0:
        return default
    if len(values) == 1:
        return tuple(values) * dims
    if len(values) != dims:
        either = "either be omitted, a single int," if default is not None else "either be a single int,"
        if name == "dilation":
            either = "be either a single int,"
        if name == "kernel_size" and function == "avg_pool3d":
            either = "be a single int,"
        raise TorchError(f"{function}: {name} must {either} or a tuple of {_HOW_MANY[dims]} ints, got {list(values)}")
    return tuple(values)


def pooling_output_shape(size, kernel, pad, stride, dilation, ceil_mode):
    """How many windows there are along one dimension."""
    if stride == 0:
        raise TorchError("stride should not be zero")
    if pad < 0:
        raise TorchError(f"pad must be non-negative, but got pad: {pad}")
    if pad > ((kernel - 1) * dilation + 1) // 2:
        raise TorchError(
            f"pad should be at most half of effective kernel size, but got pad={pad}, kernel_size={kernel} and "
            f"dilation={dilation}"
        )
    room = size + 2 * pad - dilation * (kernel - 1) - 1
    out = (room + (stride - 1 if ceil_mode else 0)) // stride + 1
    # The last window has to begin inside the input or in the padding before it.
    if ceil_mode and (out - 1) * stride >= size + pad:
        out -= 1
    return out


def check_dim_range(self, low, high, function):
    """RuntimeError unless the tensor has that many dimensions."""
    if not low <= self.array.ndim <= high:
        raise TorchError(
            f"Expected {low} to {high} dimensions, but got {self.array.ndim}-dimensional tensor for argument #1 'self' "
            f"(while checking arguments for {function})"
        )


def single(function, name, values):
    """The one number in a list of one."""
    if isinstance(values, int):
        return values
    if len(values) != 1:
        raise TorchError(f"{function}() argument '{name}' should contain one int (got {len(values)})")
    return values[0]


def pool_shape_check(function, self, kernel, stride, padding, dilation, out):
    """RuntimeError for numbers and sizes of which nothing can be made."""
    dims = len(kernel)
    _check_positive("kernel size", "k", kernel)
    _check_positive("stride", "d", stride)
    _check_positive("dilation", "dilation", dilation)
    check_input_dims(function, self, dims)
    if any(pad > size // 2 for pad, size in zip(padding, kernel, strict=True)):
        raise TorchError(
            f"pad should be smaller than or equal to half of kernel size, but got pad {list(padding)} and kernel size "
            f"{list(kernel)}"
        )
    if any(size < 1 for size in out):
        channels = self.array.shape[-dims - 1]
        shown = "x".join(map(str, self.array.shape[-dims:]))
        raise TorchError(
            f"Given input size: ({channels}x{shown}). Calculated output size: "
            f"({channels}x{'x'.join(map(str, out))}). Output size is too small"
        )


def _check_positive(words, prefix, values):
    if any(value <= 0 for value in values):
        letters = _LETTERS[len(values)]
        shown = " ".join(f"{prefix}{letter}: {value}" for letter, value in zip(letters, values, strict=True))
        raise TorchError(f"{words} should be greater than zero, but got {shown}")


def check_input_dims(function, self, dims):
    """RuntimeError unless there are channels, `dims` dimensions to pool over, and at most a batch besides."""
    shape = self.array.shape
    has_dims = len(shape) in (dims + 1, dims + 2)
    if not has_dims and function != "avg_pool2d":
        raise TorchError(
            f"non-empty {dims + 1}D or {dims + 2}D (batch mode) tensor expected for input, but got: {list(shape)}"
        )
    if not has_dims or 0 in shape[-dims - 1 :]:
        if dims == 3:
            empty = shape[-dims - 1 :].index(0)
            raise TorchError(
                f"{function}(): Expected input's non-batch dimensions to have positive length, but input has a shape "
                f"of {list(shape)} and non-batch dimension {empty} has length zero!"
            )
        raise TorchError(
            f"Expected {dims + 1}D or {dims + 2}D (batch mode) tensor with optional 0 dim batch size for input, but "
            f"got:{list(shape)}"
        )


def check_grad_sizes(grad, dims, sizes):
    """RuntimeError unless the last sizes of a gradient, or of the indices, are the output's."""
    for offset, size in enumerate(sizes):
        dim = grad.array.ndim - len(sizes) + offset
        if grad.array.shape[dim] != size:
            raise TorchError(
                f"Expected a tensor of dimension {dims} and tensor.size[{dim}] == {size} but got: dimension "
                f"{grad.array.ndim} and tensor.size[{dim}] = {grad.array.shape[dim]}"
            )


class PoolWindows:
    """The windows of a pooling: for each position within a window, the slices that give all windows' elements there.

    The slices are for the padded input: `padding` before, and behind as much as the last window asks for.
    """

    def __init__(self, sizes, out, kernel, stride, padding, dilation):
        self.sizes, self.out = tuple(sizes), tuple(out)
        self.kernel, self.stride, self.padding, self.dilation = kernel, stride, padding, dilation
        reach = [(o - 1) * s + d * (k - 1) + 1 for o, s, d, k in zip(out, stride, dilation, kernel, strict=True)]
        self.padded = tuple(max(p + size, r) for p, size, r in zip(padding, sizes, reach, strict=True))
        self.interior = tuple(slice(p, p + size) for p, size in zip(padding, sizes, strict=True))
        self.offsets = [()]
        for size, step in zip(kernel, dilation, strict=True):
            self.offsets = [(*before, step * number) for before in self.offsets for number in range(size)]
        self.slices = [self._slices(offset) for offset in self.offsets]

    def _slices(self, offset):
        rows = zip(offset, self.stride, self.out, strict=True)
        return (..., *(slice(begin, begin + step * (count - 1) + 1, step) for begin, step, count in rows))

    @property
    def is_padded(self):
        """Whether some window reaches beyond the input."""
        return self.padded != self.sizes

    @property
    def overlap(self):
        """Whether an element of the input can be in two windows."""
        rows = zip(self.stride, self.dilation, self.kernel, strict=True)
        return any(step < spread * (size - 1) + 1 for step, spread, size in rows)

    def starts(self, xp, dim):
        """Where along this dimension the windows begin, in the unpadded input."""
        return xp.arange(self.out[dim]) * self.stride[dim] - self.padding[dim]


def max_pool_windows(function, self, dims, kernel_size, stride, padding, dilation, ceil_mode, checked_as=None):
    """The windows of a maximum pooling, all numbers checked; the errors name the function, or `checked_as`."""
    kernel = numbers_for(function, "kernel_size", kernel_size, dims)
    stride = numbers_for(function, "stride", stride, dims, default=kernel)
    padding = numbers_for(function, "padding", padding, dims)
    dilation = numbers_for(function, "dilation", dilation, dims)
    sizes = self.array.shape[-dims:]
    rows = zip(sizes, kernel, padding, stride, dilation, strict=False)
    out = [pooling_output_shape(*row, ceil_mode) for row in rows]
    pool_shape_check(checked_as or function, self, kernel, stride, padding, dilation, out)
    return PoolWindows(sizes, out, kernel, stride, padding, dilation)
