"""Checks of definitions: rules are values in `lint.rules`, the engine runs them, `suppress` reads the comments."""
