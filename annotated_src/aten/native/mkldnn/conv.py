"""The convolution kernels, on arrays. Stand in for aten/src/ATen/native/mkldnn/Conv.cpp.

A convolution is a matrix product in disguise. For each place of the output, write the input values that the kernel
covers there into a column; then every output channel is a row of weights times these columns:

    input (N, C, *sizes)  ->  columns (N, C * positions, places);   weight (O, C * positions) @ columns  ->  output

    forward           weight @ columns
    backward_weight   grad_output @ columns.T
    backward_input    weight.T @ grad_output gives columns, each of which is added back to where it was taken from;
                      a transposed convolution is just that

Invariant: what `take_columns` reads, `put_columns` adds to; both go through the same Windows.

Deviation: upstream hands float32 to oneDNN and the rest to kernels of its own (ConvolutionMM2d.cpp,
NaiveDilatedConvolution.cpp, NaiveConvolutionTranspose2d.cpp). Here these three serve every dtype and case.
"""

import itertools

from annotated_src.c10.array_module import array_module

# As many bytes of columns at a time as a core's cache holds.
COLUMN_BYTES = 1 << 20


class Windows:
    """Where the kernel looks: one index into the padded input for each of the kernel's positions.

    With stride 1 the padded input is laid out flat. A position is then one offset, the places are the numbers that
    follow it, and columns are copied in long runs. Where a row ends, a few places come out that are no places of the
    output: `layout` counts them in, `crop` leaves them out.
    """

    def __init__(self, sizes, out, kernel_size, stride, padding, dilation):
        self.sizes = tuple(sizes)
        self.padding = tuple(padding)
        self.padded = tuple(size + 2 * pad for size, pad in zip(sizes, padding, strict=True))
        reach = [step * (size - 1) for size, step in zip(kernel_size, dilation, strict=True)]
        self.out = tuple(out)
        offsets = itertools.product(
            *(range(0, size * step, step) for size, step in zip(kernel_size, dilation, strict=True))
        )
        self.is_flat = all(step == 1 for step in stride)
        if self.is_flat:
            self._lay_out_flat(offsets, reach)
        else:
            self._lay_out_strided(offsets, stride)
        self.interior = tuple(slice(pad, pad + size) for pad, size in zip(padding, sizes, strict=True))
        self.crop = tuple(slice(0, size) for size in self.out)

    def _lay_out_flat(self, offsets, reach):
        steps = _contiguous_steps(self.padded)
        self.layout = (self.out[0], *self.padded[1:])
        places = _product(self.layout)
        # The last position's last run reaches beyond the padded input, by as much as it overhangs in each row.
        overhang = sum(r * step for r, step in zip(reach[1:], steps[1:], strict=True))
        self.buffer = (_product(self.padded) + overhang,)
        starts = [sum(o * step for o, step in zip(offset, steps, strict=True)) for offset in offsets]
        self.positions = [(..., slice(start, start + places)) for start in starts]

    def _lay_out_strided(self, offsets, stride):
        self.layout = self.out
        self.buffer = self.padded
        self.positions = [
            (..., *(slice(o, o + s * (size - 1) + 1, s) for o, s, size in zip(offset, stride, self.out, strict=True)))
            for offset in offsets
        ]

    def padded_view(self, buffer):
        """The padded input within its buffer."""
        if not self.is_flat:
            return buffer
        return buffer[..., : _product(self.padded)].reshape(*buffer.shape[:-1], *self.padded)


def _contiguous_steps(sizes):
    steps = [1]
    for size in reversed(sizes[1:]):
        steps.insert(0, steps[0] * size)
    return steps


def _product(sizes):
    result = 1
    for size in sizes:
        result *= size
    return result


# -- columns


def take_columns(windows, x):
    """(n, C, *sizes) -> (n, C, positions, places)."""
    xp = array_module(x)
    buffer = _padded(xp, windows, x)
    run = (_product(windows.layout),) if windows.is_flat else windows.layout
    columns = xp.empty((*x.shape[:2], len(windows.positions), *run), dtype=x.dtype)
    for position, index in enumerate(windows.positions):
        columns[:, :, position] = buffer[index]
    return columns.reshape(*columns.shape[:3], _product(windows.layout))


def _padded(xp, windows, x):
    if windows.buffer == windows.sizes:
        return x
    buffer = xp.zeros((*x.shape[:2], *windows.buffer), dtype=x.dtype)
    windows.padded_view(buffer)[(..., *windows.interior)] = x
    return buffer


def put_columns(windows, columns):
    """(n, C, positions, places) -> (n, C, *sizes): each value added to the place that it was taken from."""
    xp = array_module(columns)
    buffer = xp.zeros((*columns.shape[:2], *windows.buffer), dtype=columns.dtype)
    if not windows.is_flat:
        columns = columns.reshape(*columns.shape[:3], *windows.layout)
    for position, index in enumerate(windows.positions):
        buffer[index] += columns[:, :, position]
    return windows.padded_view(buffer)[(..., *windows.interior)]


def spread(windows, grad_output):
    """The output's gradient in the columns' layout: (n, O, *out) -> (n, O, places)."""
    xp = array_module(grad_output)
    if windows.layout != windows.out:
        wider = xp.zeros((*grad_output.shape[:2], *windows.layout), dtype=grad_output.dtype)
        wider[(..., *windows.crop)] = grad_output
        grad_output = wider
    return grad_output.reshape(*grad_output.shape[:2], _product(windows.layout))


def _chunks(windows, x, channels):
    """Slices of the batch, so large that their columns fit the cache."""
    bytes_each = channels * len(windows.positions) * _product(windows.layout) * x.itemsize
    count = max(1, COLUMN_BYTES // max(bytes_each, 1))
    if not hasattr(x, "__array_interface__"):
        # A GPU wants everything at once.
        count = max(1, x.shape[0])
    return [slice(start, start + count) for start in range(0, x.shape[0], count)]



# -- the three products


def forward(x, weight, bias, windows, groups):
    """The convolution: x (N, C, *sizes), weight (O, C / groups, *kernel) -> (N, O, *out)."""
    xp = array_module(x)
    out_channels = weight.shape[0]
    result = xp.empty((x.shape[0], out_channels, *windows.out), dtype=x.dtype)
    rows = _weight_rows(weight, groups)
    for chunk in _chunks(windows, x, x.shape[1]):
        columns = _group_columns(take_columns(windows, x[chunk]), groups)
        product = (rows @ columns).reshape(-1, out_channels, *windows.layout)[(..., *windows.crop)]
        if bias is None:
            result[chunk] = product
        else:
            xp.add(product, bias.reshape(-1, *(1,) * len(windows.out)), out=result[chunk])
    return result


def _weight_rows(weight, groups):
    """(O, C / groups, *kernel) -> (groups, O / groups, C / groups * positions); without the first if there is one."""
    rows = weight.reshape(weight.shape[0], _product(weight.shape[1:]))
    return rows if groups == 1 else rows.reshape(groups, weight.shape[0] // groups, rows.shape[1])


def _group_columns(columns, groups):
    """(n, C, positions, places) -> (n, groups, C / groups * positions, places); without the second if there is one."""
    n, channels, positions, places = columns.shape
    if groups == 1:
        return columns.reshape(n, channels * positions, places)
    return columns.reshape(n, groups, channels // groups * positions, places)


def _group_rows(grad_output, groups):
    """(n, O, places) -> (n, groups, O / groups, places); without the second if there is one."""
    if groups == 1:
        return grad_output
    n, channels, places = grad_output.shape
    return grad_output.reshape(n, groups, channels // groups, places)


def backward_input(grad_output, weight, windows, groups):
    """The gradient for the input: grad_output (N, O, *out), weight (O, C / groups, *kernel) -> (N, C, *sizes)."""
    xp = array_module(grad_output)
    channels = weight.shape[1] * groups
    result = xp.empty((grad_output.shape[0], channels, *windows.sizes), dtype=grad_output.dtype)
    rows = _weight_rows(weight, groups).swapaxes(-1, -2)
    for chunk in _chunks(windows, grad_output, channels):
        grads = _group_rows(spread(windows, grad_output[chunk]), groups)
        columns = (rows @ grads).reshape(-1, channels, len(windows.positions), _product(windows.layout))
        result[chunk] = put_columns(windows, columns)
    return result


def backward_weight(grad_output, x, weight_shape, windows, groups):
    """The gradient for the weight, summed over the batch."""
    xp = array_module(x)
    result = xp.zeros(_weight_rows(xp.empty(weight_shape, dtype=x.dtype), groups).shape, dtype=x.dtype)
    for chunk in _chunks(windows, x, x.shape[1]):
        columns = _group_columns(take_columns(windows, x[chunk]), groups)
        grads = _group_rows(spread(windows, grad_output[chunk]), groups)
        result += (grads @ columns.swapaxes(-1, -2)).sum(0)
    return result.reshape(weight_shape)
