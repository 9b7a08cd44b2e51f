"""Sizes, scales and checks of interpolation. Retells aten/src/ATen/native/UpSample.h and UpSample.cpp.

An output pixel `place` looks at the input at

    align_corners           place * (size - 1) / (out - 1)            corners fall on corners
    otherwise               (place + 0.5) * scale - 0.5               pixels are areas, and borders fall on borders
    nearest                 place * scale                             as it was before the 0.5 was thought of

where scale is size / out, or, if the caller gave a scale factor, 1 / factor: 3 * 1.5 makes 4 pixels, not 4.5.
"""

from annotated_src.c10.util.exception import TorchError


def compute_output_size(input_size, output_size, scale_factors):
    """The spatial sizes that come out; exactly one of the two is given."""
    spatial = input_size[2:]
    if (output_size is None) == (scale_factors is None):
        raise TorchError("Must specify exactly one of output_size and scale_factors")
    if output_size is not None:
        if len(output_size) != len(spatial):
            raise TorchError(f"It is expected output_size equals to {len(spatial)}, but got size {len(output_size)}")
        return tuple(output_size)
    if len(scale_factors) != len(spatial):
        raise TorchError(f"It is expected scale_factors equals to {len(spatial)}, but got size {len(scale_factors)}")
    return tuple(int(size * factor) for size, factor in zip(spatial, scale_factors, strict=True))


def scale_values(scale_factors, dims):
    """One factor for each dimension; None where none is given."""
    return (None,) * dims if scale_factors is None else tuple(map(float, scale_factors))


def full_output_size(self, output_size, dims):
    """(N, C, *output_size), with everything checked."""
    shape = self.array.shape
    if isinstance(output_size, int):
        output_size = (output_size,) * dims
    if len(output_size) != dims:
        raise TorchError(f"It is expected output_size equals to {dims}, but got size {len(output_size)}")
    if len(shape) != dims + 2:
        raise TorchError(f"It is expected input_size equals to {dims + 2}, but got size {len(shape)}")
    _check_positive(shape[2:], output_size)
    if 0 in shape[1:]:
        raise TorchError(f"Non-empty {dims + 2}D data tensor expected but got a tensor with sizes {list(shape)}")
    return (*shape[:2], *output_size)


def _check_positive(sizes, output_size):
    if min(*sizes, *output_size) <= 0:
        letters = "DHW"[-len(sizes) :]
        given, wanted = (
            ", ".join(f"{letter}: {size}" for letter, size in zip(letters, values, strict=True))
            for values in (sizes, output_size)
        )
        between = " and" if len(sizes) == 1 else ""
        raise TorchError(
            f"Input and output sizes should be greater than 0, but got input ({given}){between} output ({wanted})"
        )


def check_grad_output(grad_output, output_size, input_size):
    """RuntimeError unless grad_output has the output's shape."""
    expected = [*input_size[:2], *output_size]
    got = grad_output.array.shape
    if len(got) != len(expected):
        raise TorchError(
            f"Expected grad_output to be a tensor of dimension {len(expected)} but got: dimension {len(got)}"
        )
    for dim, (size, given) in enumerate(zip(expected, got, strict=True)):
        if size != given:
            raise TorchError(
                f"Expected grad_output to have the same shape as output; output.size({dim}) = {size} but got "
                f"grad_output.size({dim}) = {given}"
            )


# -- where an output pixel looks: arrays of `xp`, one number for each pixel along a dimension


def compute_scales_value(kind, scale, size, out):
    """Input pixels to an output pixel, as a number of the type in which upstream computes it."""
    if scale is not None and scale > 0:
        return kind(1.0 / scale)
    return kind(size) / kind(out)


def area_pixel_compute_scale(kind, size, out, align_corners, scale):
    """The same, for modes that know align_corners."""
    if not align_corners:
        return compute_scales_value(kind, scale, size, out)
    return kind(size - 1) / kind(out - 1) if out > 1 else kind(0)


def source_positions(xp, kind, size, out, align_corners, scale):
    """Where each output pixel looks, as fractions of pixels; not less than -0.5."""
    step = area_pixel_compute_scale(kind, size, out, align_corners, scale)
    places = xp.arange(out, dtype=kind)
    if align_corners:
        return places * step
    return (places + kind(0.5)) * step - kind(0.5)


def nearest_index(xp, size, out, scale):
    """The input pixel of each output pixel; what the scale says does not count where the sizes are simple."""
    places = xp.arange(out)
    if out == size:
        return places
    if out == 2 * size:
        return places >> 1
    return nearest_index_by_scale(xp, size, out, scale)


def nearest_index_by_scale(xp, size, out, scale):
    """The input pixel of each output pixel: 7 pixels by a factor of 2.05 make 14, the last of which is the 7th."""
    step = compute_scales_value(xp.float32, scale, size, out)
    index = xp.floor(xp.arange(out).astype(xp.float32) * step)
    return xp.minimum(index.astype(xp.int64), size - 1)


def nearest_exact_index(xp, size, out, scale):
    """The input pixel whose area the middle of each output pixel falls into."""
    step = compute_scales_value(xp.float32, scale, size, out)
    index = xp.floor(((xp.arange(out) + 0.5) * xp.float64(step)).astype(xp.float32))
    return xp.minimum(index.astype(xp.int64), size - 1)


def linear_taps(xp, kind, size, out, align_corners, scale):
    """[(index, weights)] of the two pixels between which each output pixel looks."""
    if out == size:
        places = xp.arange(size)
        return [(places, xp.ones(out, dtype=kind)), (places, xp.zeros(out, dtype=kind))]
    positions = source_positions(xp, kind, size, out, align_corners, scale)
    # What lies before the first pixel's middle is cut off to 0, and its weight below too.
    first = xp.minimum(positions.astype(xp.int64), size - 1)
    second = first + (first < size - 1)
    weight = xp.clip(positions - first.astype(kind), kind(0), kind(1))
    return [(first, kind(1) - weight), (second, weight)]


def cubic_taps(xp, kind, size, out, align_corners, scale):
    """[(index, weights)] of the four pixels that a cubic through each output pixel's position needs."""
    positions = source_positions(xp, kind, size, out, align_corners, scale)
    whole = xp.floor(positions)
    t = positions - whole
    first = whole.astype(xp.int64) - 1
    weights = [_outer(kind, t + 1), _inner(kind, t), _inner(kind, 1 - t), _outer(kind, 2 - t)]
    return [(xp.clip(first + tap, 0, size - 1), weights[tap]) for tap in range(4)]


def _inner(kind, x):
    """The cubic convolution's weight at a distance of up to 1 (A = -0.75)."""
    a = kind(-0.75)
    return ((a + 2) * x - (a + 3)) * x * x + 1


def _outer(kind, x):
    """And at a distance from 1 to 2."""
    a = kind(-0.75)
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a
