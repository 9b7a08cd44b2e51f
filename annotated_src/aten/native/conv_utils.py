"""Sizes of convolutions. Retells aten/src/ATen/native/ConvUtils.h and ParamUtils.h.

    conv_output_size    what comes out of a convolution
    conv_input_size     what comes out of a transposed one: the input that would have given this output
"""

from annotated_src.c10.util.exception import TorchError


def one_each(number, dims):
    """`stride=2` as a number for each dimension; a list as it is."""
    return (number,) * dims if isinstance(number, int) else tuple(number)


def expand_param_if_needed(list_param, param_name, expected_dim):
    """A single number stands for one in each spatial dimension."""
    if len(list_param) == 1:
        return tuple(list_param) * expected_dim
    if len(list_param) != expected_dim:
        raise TorchError(
            f"expected {param_name} to be a single integer value or a list of {expected_dim} values to match the "
            f"convolution dimensions, but got {param_name}={list(list_param)}"
        )
    return tuple(list_param)


def conv_output_size(input_size, weight_size, padding, stride, dilation):
    """(N, O, *out) of an input (N, C, *sizes) and a weight (O, C / groups, *kernel)."""
    output_size = [input_size[0], weight_size[0]]
    for dim in range(2, len(input_size)):
        kernel = dilation[dim - 2] * (weight_size[dim] - 1) + 1
        output_size.append((input_size[dim] + 2 * padding[dim - 2] - kernel) // stride[dim - 2] + 1)
    return tuple(output_size)


def conv_input_size(output_size, weight_size, padding, output_padding, stride, dilation, groups):
    """(N, C, *sizes) that a transposed convolution makes of (N, O, *out)."""
    input_size = [output_size[0], weight_size[1] * groups]
    for dim in range(2, len(output_size)):
        kernel = dilation[dim - 2] * (weight_size[dim] - 1) + 1
        covered = (output_size[dim] - 1) * stride[dim - 2] - 2 * padding[dim - 2]
        input_size.append(covered + kernel + output_padding[dim - 2])
    return tuple(input_size)
