"""The Gomocup protocol, from both ends: an engine that any Gomoku program can drive, and a player that drives one."""
