"""Windows of adaptive pooling, and checks. Retells aten/src/ATen/native/AdaptivePooling.h.

Whatever the input's size, there are as many windows as the caller asks for: window o of `out` covers the elements from
start_index(o) to end_index(o). Neighbours may overlap by one, and differ in size by one.
"""

from annotated_src.c10.util.exception import TorchError


def start_index(place, out, size):
    """The first element of window `place`."""
    return place * size // out


def end_index(place, out, size):
    """The element behind the last of window `place`: (place + 1) * size / out, rounded up."""
    return 1 + ((place + 1) * size - 1) // out


def bounds(xp, size, out):
    """The starts and the lengths of all windows along one dimension, as arrays of `xp`."""
    places = xp.arange(out)
    starts = start_index(places, out, size)
    return starts, end_index(places, out, size) - starts


def longest(size, out):
    """The length of the largest window."""
    return max([end_index(place, out, size) - start_index(place, out, size) for place in range(out)], default=0)


def sizes_asked_for(function, output_size, dims):
    """One size for each dimension; RuntimeError for another number of them, or a negative one."""
    if isinstance(output_size, int):
        output_size = (output_size,) * dims
    if len(output_size) != dims:
        raise TorchError(f"{function}: output_size must be {dims} numbers, got {list(output_size)}")
    if any(size < 0 for size in output_size):
        shown = ", ".join(map(str, output_size))
        raise TorchError(
            f"{function}: elements of output_size must be greater than or equal to 0 but received {{{shown}}}"
        )
    return output_size


def check_dims(function, self, dims, got="got", first=1):
    """RuntimeError unless there are channels, `dims` dimensions to pool over, and at most a batch besides.

    From dimension `first` on none may be empty.
    """
    shape = self.array.shape
    if len(shape) not in (dims + 1, dims + 2):
        raise TorchError(f"{function}(): Expected {dims + 1}D or {dims + 2}D tensor, but {got} {list(shape)}")
    check_not_empty(function, self, first)


def check_not_empty(function, self, first):
    """RuntimeError where a dimension from `first` on has no elements."""
    shape = self.array.shape
    for dim in range(first, len(shape)):
        if shape[dim] == 0:
            raise TorchError(
                f"{function}(): Expected input to have non-zero size for non-batch dimensions, but input has sizes "
                f"{list(shape)} with dimension {dim} being empty"
            )


def check_sizes_nonnegative(self, output_size):
    """RuntimeError for a negative size."""
    if any(size < 0 for size in output_size):
        shape = [*self.array.shape[: -len(output_size)], *output_size]
        negative = next(size for size in output_size if size < 0)
        raise TorchError(f"Trying to create tensor with negative dimension {negative}: {shape}")


def check_grad_dims(function, grad_output, self):
    """RuntimeError unless the gradient has as many dimensions as the input."""
    if grad_output.array.ndim != self.array.ndim:
        raise TorchError(
            f"{function}: Expected dimensions {self.array.ndim} for `grad_output` but got dimensions "
            f"{grad_output.array.ndim}"
        )


def check_grad_not_empty(function, grad_output):
    """RuntimeError where a dimension other than the batch has no elements."""
    shape = list(grad_output.array.shape)
    for dim in range(1, len(shape)):
        if shape[dim] == 0:
            raise TorchError(
                f"{function}(): Expected grad_output to have non-zero size for non-batch dimensions, but grad_output "
                f"has sizes {shape} with dimension {dim} being empty"
            )
