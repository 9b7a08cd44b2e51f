"""Operators that pick elements."""


def register():
    """Define them."""
