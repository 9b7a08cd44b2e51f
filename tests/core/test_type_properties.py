"""promote_types, can_cast and result_type over all dtypes."""

import pytest

COVERS = ["aten/src/ATen/native/TypeProperties.cpp", "c10/core/ScalarType.h"]

DTYPES = [
    "bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32",
    "float64", "complex64", "complex128",
]  # fmt: skip
NUMBERS = [True, 3, 2.5, 1j]


def answer(function, *arguments):
    try:
        return str(function(*arguments))
    except RuntimeError as error:
        return f"{type(error).__name__}: {str(error)[:40]}"


@pytest.mark.parametrize("first", DTYPES)
def test_tables(oracle, first):
    def case(torch):
        a = getattr(torch, first)
        others = [getattr(torch, name) for name in DTYPES]
        rows = [(answer(torch.promote_types, a, b), torch.can_cast(a, b)) for b in others]
        pairs = []
        for b in others:
            for shape in ((), (2,)):
                for other_shape in ((), (2,)):
                    x, y = torch.ones(shape, dtype=a), torch.ones(other_shape, dtype=b)
                    # There is no complex dtype of half precision here.
                    if torch.float16 not in (a, b) or not (a.is_complex or b.is_complex):
                        pairs.append(answer(torch.result_type, x, y))
        numbers = [
            (
                answer(torch.result_type, torch.ones(shape, dtype=a), n),
                answer(torch.result_type, n, torch.ones(shape, dtype=a)),
            )
            for shape in ((), (2,))
            for n in NUMBERS
            if not (n == 1j and first == "float16")
        ]
        return rows, pairs, numbers

    oracle.same(case)


def test_numbers_among_themselves(oracle):
    def case(torch):
        return [str(torch.result_type(a, b)) for a in NUMBERS for b in NUMBERS]

    oracle.same(case)


ERRORS = {
    "Promotion for uint16, uint32, uint64 types is not supported": (
        lambda torch: torch.promote_types(torch.uint16, torch.int32)
    ),
    "argument 'type1' (position 1) must be torch.dtype, not int": lambda torch: torch.promote_types(1, 2),
    "argument 'from_' (position 1) must be torch.dtype, not int": lambda torch: torch.can_cast(1, 2),
    "result_type() received an invalid combination of arguments": lambda torch: torch.result_type(torch.ones(1), "a"),
}


@pytest.mark.parametrize("phrase", ERRORS)
def test_errors(oracle, phrase):
    oracle.same_error(ERRORS[phrase], phrase)


def test_names_of_the_types_of_types(oracle):
    def case(torch):
        return [type(value).__name__ for value in (torch.float32, torch.device("cpu"), torch.Size([1]), torch.ones(1))]

    oracle.same(case)
