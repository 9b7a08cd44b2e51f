"""Special functions that array modules lack. Retells the parts of aten/src/ATen/native/Math.h that are needed.

erf and erfc follow W. J. Cody, Rational Chebyshev Approximations for the Error Function (1969): a quotient of
polynomials in each of three ranges, good to double precision.

    |x| <= 0.46875   erf(x)  = x * R(x**2)
    |x| <= 4         erfc(x) = exp(-x**2) * R(|x|)
    beyond           erfc(x) = exp(-x**2) / |x| * (1 / sqrt(pi) - R(1 / x**2) / x**2)

In float32 one quotient serves the whole range, erf(x) = x * R(x**2 / 16) for |x| <= 4, and 1 beyond: R was fitted so
that its largest relative error is small (2.5e-8, half a unit in the last place).
"""

SMALL = 0.46875
LARGE = 4.0
ONE_OVER_SQRT_PI = 0.56418958354775628695

# The leading coefficient of the numerator is the last of its row; the denominator's is 1.
NEAR = (
    (3.16112374387056560e00, 1.13864154151050156e02, 3.77485237685302021e02, 3.20937758913846947e03),
    (2.36012909523441209e01, 2.44024637934444173e02, 1.28261652607737228e03, 2.84423683343917062e03),
    1.85777706184603153e-1,
)
MIDDLE = (
    (
        5.64188496988670089e-1, 8.88314979438837594e00, 6.61191906371416295e01, 2.98635138197400131e02,
        8.81952221241769090e02, 1.71204761263407058e03, 2.05107837782607147e03, 1.23033935479799725e03,
    ),
    (
        1.57449261107098347e01, 1.17693950891312499e02, 5.37181101862009858e02, 1.62138957456669019e03,
        3.29079923573345963e03, 4.36261909014324716e03, 3.43936767414372164e03, 1.23033935480374942e03,
    ),
    2.15311535474403846e-8,
)  # fmt: skip
FAR = (
    (
        3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1, 1.60837851487422766e-2,
        6.58749161529837803e-4,
    ),
    (
        2.56852019228982242e00, 1.87295284992346047e00, 5.27905102951428412e-1, 6.05183413124413191e-2,
        2.33520497626869185e-3,
    ),
    1.63153871373020978e-2,
)  # fmt: skip

# Of 1, s, s**2 ...
SINGLE_ABOVE = (1.12837913931, 3.09675520832, 13.5941145634, 15.906518179, 18.6493454413, 2.08325928995)
SINGLE_BELOW = (1.0, 8.07774873685, 29.5298217238, 62.2896057996, 77.6987311542, 39.2375778646)


def erf(xp, x):
    """The error function of a floating array, in its dtype."""
    if x.dtype == "float32":
        return _erf_single(xp, x)
    wide = x.astype("float64")
    size = xp.abs(wide)
    outer = 1 - _erfc_outside(xp, size)
    result = xp.where(size <= SMALL, _erf_near_zero(wide), xp.copysign(outer, wide))
    return result.astype(x.dtype)


def _erf_single(xp, x):
    wide = xp.clip(x.astype("float64"), -LARGE, LARGE)
    s = wide * wide
    s /= LARGE * LARGE
    result = _horner(SINGLE_ABOVE, s)
    result /= _horner(SINGLE_BELOW, s)
    result *= wide
    return result.astype("float32")


def _horner(coefficients, s):
    *others, leading = coefficients
    value = leading * s
    for coefficient in reversed(others[1:]):
        value += coefficient
        value *= s
    value += others[0]
    return value


def erfc(xp, x):
    """1 - erf(x), without the cancellation for large x."""
    wide = x.astype("float64")
    size = xp.abs(wide)
    outer = _erfc_outside(xp, size)
    outer = xp.where(wide < 0, 2 - outer, outer)
    return xp.where(size <= SMALL, 1 - _erf_near_zero(wide), outer).astype(x.dtype)


def _erf_near_zero(x):
    return x * _quotient(NEAR, x * x)


def _erfc_outside(xp, size):
    """erfc of the magnitudes beyond SMALL; what it says of smaller ones is not used."""
    # exp(-size**2) with the square split in two, of which the first is exact: else its rounding error is magnified.
    coarse = xp.trunc(size * 16) / 16
    gauss = xp.exp(-coarse * coarse) * xp.exp(-(size - coarse) * (size + coarse))
    middle = _quotient(MIDDLE, size)
    inverse = 1 / xp.maximum(size * size, 1.0)
    far = (ONE_OVER_SQRT_PI - inverse * _quotient(FAR, inverse)) / xp.maximum(size, 1.0)
    result = gauss * xp.where(size <= LARGE, middle, far)
    # Beyond 27 it is zero to every digit, and an infinite size has made inf - inf of the square.
    return xp.where(size > 27, 0.0, result)


def _quotient(coefficients, y):
    """The quotient of two polynomials, by Horner's rule."""
    above, below, leading = coefficients
    numerator, denominator = leading * y, y
    for a, b in zip(above[:-1], below[:-1], strict=True):
        numerator = (numerator + a) * y
        denominator = (denominator + b) * y
    return (numerator + above[-1]) / (denominator + below[-1])


# -- erfc in single precision

# Of exp(-x**2 + polynomial(t)) * t with t = 1 / (1 + x / 2), good to 1.2e-7 of the value (Numerical Recipes, 6.2).
SINGLE = (
    0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418, 0.37409196, 1.00002368,
    -1.26551223,
)  # fmt: skip


def erfc_single(xp, x):
    """1 - erf(x) of a float32 array: one formula for all magnitudes, where erfc needs three."""
    size = xp.abs(x)
    t = 1 / (1 + 0.5 * size)
    polynomial = SINGLE[0] * t
    for coefficient in SINGLE[1:-1]:
        polynomial += coefficient
        polynomial *= t
    polynomial += SINGLE[-1]
    polynomial -= size * size
    outer = t * xp.exp(polynomial)
    # erfc(-x) = 2 - erfc(x)
    return xp.where(x < 0, 2 - outer, outer)
