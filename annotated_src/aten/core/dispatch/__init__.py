"""The dispatcher. Retells aten/src/ATen/core/dispatch/."""
