"""Schemas and the dispatcher. Retells aten/src/ATen/core/."""
