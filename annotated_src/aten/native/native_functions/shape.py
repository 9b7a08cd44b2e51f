"""Operators that look at, move or join memory: views, copies, stack and cat."""


def register():
    """Define them."""
