"""The kernels, a file per family as upstream has them. Retells aten/src/ATen/native/."""
