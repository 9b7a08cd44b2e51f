"""Windows as columns, and back: F.unfold and F.fold. Retells aten/src/ATen/native/Im2Col.cpp and Col2Im.cpp.

    im2col    (N, C, H, W) -> (N, C * kh * kw, L): L windows, each written out as a column
    col2im    the other way round; where windows overlap, their values are added

The convolutions do the same within their kernels (mkldnn/conv.py).
"""

from annotated_src.aten import ops
from annotated_src.aten.dispatch import FLOATING_AND_COMPLEX_TYPES, dispatch
from annotated_src.aten.native.mkldnn import conv
from annotated_src.aten.tensor_iterator import quietly
from annotated_src.c10.array_module import array_module
from annotated_src.c10.core.scalar_type import BOOL
from annotated_src.c10.core.tensor_impl import make_tensor
from annotated_src.c10.core.wrap_dim_minimal import size_along
from annotated_src.c10.util.exception import TorchError


def im2col(self, kernel_size, dilation, padding, stride):
    """Every window of (N, C, H, W) or (C, H, W) as a column."""
    _check_positive(kernel_size=kernel_size, dilation=dilation, stride=stride)
    shape = self.array.shape
    has_room = size_along(self.array, 1) != 0 and size_along(self.array, 2) != 0
    if len(shape) not in (3, 4) or not has_room or 0 in shape[-3:]:
        raise TorchError(
            "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
            f"but got: {list(shape)}"
        )
    sizes = shape[-2:]
    out = _blocks(sizes, kernel_size, dilation, padding, stride)
    if min(out) < 1:
        raise TorchError(
            f"Given input with spatial size {sizes}, kernel_size={tuple(kernel_size)}, dilation={tuple(dilation)}, "
            f"padding={tuple(padding)}, calculated shape of the array of sliding blocks as {out}, but its components "
            "must be at least one."
        )
    dispatch(self.dtype, (*FLOATING_AND_COMPLEX_TYPES, BOOL), "im2col_out_cpu")
    if len(shape) == 3:
        return ops.squeeze.dim(make_tensor(_im2col(self.array[None], out, kernel_size, dilation, padding, stride)), 0)
    return make_tensor(_im2col(self.array, out, kernel_size, dilation, padding, stride))


def _im2col(x, out, kernel_size, dilation, padding, stride):
    windows = conv.Windows(x.shape[2:], out, kernel_size, stride, padding, dilation)
    columns = conv.take_columns(windows, x)
    n, channels, positions, _ = columns.shape
    columns = columns.reshape(n, channels, positions, *windows.layout)[(..., *windows.crop)]
    columns = array_module(x).ascontiguousarray(columns)
    return columns.reshape(n, channels * positions, out[0] * out[1])


def col2im(self, output_size, kernel_size, dilation, padding, stride):
    """(N, C * kh * kw, L) or (C * kh * kw, L): every column added to its window of (N, C, *output_size)."""
    _check_positive(kernel_size=kernel_size, dilation=dilation, stride=stride)
    shape = self.array.shape
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        raise TorchError(
            "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for "
            f"input, but got: {list(shape)}"
        )
    out = _blocks(output_size, kernel_size, dilation, padding, stride)
    _check_columns(shape, out, output_size, kernel_size, dilation, padding, stride)
    dispatch(self.dtype, (*FLOATING_AND_COMPLEX_TYPES, BOOL), "col2im_out_cpu")
    columns = self.array if len(shape) == 3 else self.array[None]
    windows = conv.Windows(output_size, out, kernel_size, stride, padding, dilation)
    result = array_module(columns).ascontiguousarray(quietly(_col2im, columns, windows))
    return make_tensor(result if len(shape) == 3 else result[0])


def _col2im(columns, windows):
    n, rows, _ = columns.shape
    positions = len(windows.positions)
    spread = conv.spread(windows, columns.reshape(n, rows, *windows.out))
    return conv.put_columns(windows, spread.reshape(n, rows // positions, positions, spread.shape[-1]))


def _blocks(sizes, kernel_size, dilation, padding, stride):
    """How many windows there are along each dimension."""
    rows = zip(sizes, kernel_size, dilation, padding, stride, strict=True)
    return tuple((size + 2 * pad - spread * (k - 1) - 1) // step + 1 for size, k, spread, pad, step in rows)


def _check_positive(**numbers):
    for name, (height, width) in numbers.items():
        if height <= 0 or width <= 0:
            word = name.removesuffix("_size")
            raise TorchError(
                f"{name.replace('_', ' ')} should be greater than zero, but got {word}_height: {height} "
                f"{word}_width: {width}"
            )


def _check_columns(shape, out, output_size, kernel_size, dilation, padding, stride):
    first = len(shape) - 2
    given = (
        f"output_size={tuple(output_size)}, kernel_size={tuple(kernel_size)}, dilation={tuple(dilation)}, "
        f"padding={tuple(padding)}, stride={tuple(stride)}"
    )
    if shape[first] % (kernel_size[0] * kernel_size[1]) != 0:
        raise TorchError(
            f"Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
            f"input.size(1)={shape[first]} and kernel_size={tuple(kernel_size)}."
        )
    if min(out) < 1:
        raise TorchError(
            f"Given {given}, calculated shape of the array of sliding blocks as {out}, which is too small "
            "(non-positive)"
        )
    if shape[first + 1] != out[0] * out[1]:
        raise TorchError(
            f"Given {given}, expected size of input's dimension 2 to match the calculated number of sliding blocks "
            f"{out[0]} * {out[1]} = {out[0] * out[1]}, but got input.size(2)={shape[first + 1]}."
        )
