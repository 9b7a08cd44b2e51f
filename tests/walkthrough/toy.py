"""A small package that the tests of the debugger write, run and step through: a loader, an operator, a dispatcher."""

import sys

from annotated_src.walkthrough import Fold, Levels, Skip

FILES = {
    "__init__.py": "",
    "samplers.py": '''\
class Sampler:
    def __init__(self, size):
        self.size = size

    def __iter__(self):
        """Yields indices."""
        for index in range(self.size):
            yield index


class Loader:
    def __init__(self, size):
        self.sampler = Sampler(size)

    def __iter__(self):
        for index in self.sampler:
            yield fetch([index, index + 1])

    def fail(self):
        raise KeyError("no such thing")


def fetch(indices):
    squares = [square(index) for index in indices]
    return squares


def square(number):
    result = multiply(number, number)
    return result
''',
    "operators.py": """\
def multiply(left, right):
    return dispatch(kernel, left, right)


def dispatch(function, *arguments):
    return function(*arguments)


def kernel(left, right):
    product = left * right
    return product
""",
}
FILES["samplers.py"] = "from toy_package.operators import multiply\n\n\n" + FILES["samplers.py"]

LEVELS = Levels(
    ops=[Fold("toy_package/operators.py", "multiply", "toy::multiply"), Skip("toy_package/operators.py")],
    kernels=[Skip("toy_package/operators.py", "dispatch")],
)

SCENARIO = """\
def main(toy):
    total = 0
    for batch in toy.samplers.Loader(2):
        total += sum(batch)
    print("total", total)
    return total
"""


def write(folder):
    """Write the package under a folder and import it from there; returns (package, its folder)."""
    package = folder / "toy_package"
    package.mkdir()
    for name, text in FILES.items():
        (package / name).write_text(text)
    sys.path.insert(0, str(folder))
    try:
        forget()
        import toy_package.operators
        import toy_package.samplers

        return toy_package, package
    finally:
        sys.path.remove(str(folder))


def forget():
    """Unload the package, so that the next test gets its own."""
    for name in [name for name in sys.modules if name.partition(".")[0] == "toy_package"]:
        del sys.modules[name]
