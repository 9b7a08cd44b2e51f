"""Retells c10/util/."""
