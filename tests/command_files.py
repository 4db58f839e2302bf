"""Files for the tests of the command line."""

from pathlib import Path

GOLD = "a 1 x\nb 1 p\na 2 x\na 3 y\nb 2 q\na 4 y\n"
SYSTEM = "a 4 B\na 3 A\na 2 A/2 B/1\na 1 A\n"


def write_files(folder: Path) -> Path:
    """Keys, a table of labels and matrices."""
    (folder / "gold.key").write_text(GOLD)
    (folder / "keys").mkdir()
    (folder / "keys" / "mine.key").write_text(SYSTEM)
    (folder / "keys" / "theirs.key").write_text(GOLD)
    (folder / "keys" / "notes.txt").write_text("not a key")
    (folder / "labels.csv").write_text("item,gold,s,t\n1,a,x,1\n2,a,x,2\n3,b,y,2\n4,b,,2\n")
    (folder / "m.csv").write_text("2,0\n1,1\n")
    (folder / "half.csv").write_text("1.5,0\n1,1\n")
    return folder
