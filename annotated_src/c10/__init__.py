"""c10: what every layer above stands on. Retells upstream's c10/ folder, in Python; imports nothing of ours."""
