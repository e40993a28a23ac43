"""Trained networks as players use them: model cards, sessions, search settings. The only room that knows a runtime."""
