"""Commands of python -m evalcore, one module each."""
