"""The one error that bad input raises: a sentence for the person who typed it."""


class InputError(ValueError):
    """Input that cannot be used; the message is one sentence that says what is wrong and where."""
