"""Reproductions of published experiments, their figures beside ours (docs/sources.md)."""
