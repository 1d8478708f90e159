"""Real API servers: what gives one, what is asked of it, what is recorded from it."""
