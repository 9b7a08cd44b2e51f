"""Operators and autograd: what the ground chapter is about."""
