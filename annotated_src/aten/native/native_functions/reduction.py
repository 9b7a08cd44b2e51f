"""Operators that fold dimensions into one."""


def register():
    """Define them."""
