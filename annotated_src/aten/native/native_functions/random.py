"""Operators that draw random numbers."""


def register():
    """Define them."""
