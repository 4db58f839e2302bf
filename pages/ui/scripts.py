"""The scripts of our components. Streamlit sends them along with every answer, so comments and indents stay at home."""

from pathlib import Path


def module(folder: Path, *names: str) -> str:
    """One ES module from the scripts of a folder."""
    text = "\n".join((folder / f"{name}.js").read_text("utf-8") for name in names)
    lines = (line.strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line and not line.startswith(("//", "/**")))
