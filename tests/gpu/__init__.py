"""The GPU path: torch.cuda, and what travels between host and card."""
