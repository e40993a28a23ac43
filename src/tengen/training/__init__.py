"""Learning: self-play, replay pool, learner, evaluation, and the run loop that every method shares."""
