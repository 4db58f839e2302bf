"""A page with some long work, shared by all its visitors."""

import sys
import time
from pathlib import Path

import streamlit as st

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from pages.ui import frame, state, work  # noqa: E402

FIELDS = (state.integer("parts", 5, 1, 1000),)


def slowly(parts: int, progress) -> int:
    for part in range(parts):
        progress(part, parts, f"part {part}")
        time.sleep(0.1)
    return parts


with frame.page("sample", FIELDS, "Long work") as page:
    done = work.run("sample.work", page["parts"], lambda progress: slowly(page["parts"], progress), label="Start")
    if done is not None:
        st.text(f"All {done} parts are done.")
    st.text("The end of the page.")
