"""Studies that need players, matches and training at once: tuning the engine by playing it."""
