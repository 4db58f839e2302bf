"""Measure Lab: see how clustering-evaluation measures behave. Start it with `make run`."""

from pathlib import Path

import streamlit as st

PAGES = {
    "": [("start", "Start", "straighten")],
    "Labs": [("matrix", "Matrix", "grid_on"), ("parametric", "Parametric", "tune"), ("sampling", "Sampling", "casino")],
    "Real data": [
        ("systems", "Systems", "leaderboard"),
        ("words", "Words", "account_tree"),
        ("number_of_clusters", "Number of clusters", "bubble_chart"),
    ],
    "Learn": [("reference", "Reference", "menu_book")],
}

HERE = Path(__file__).parent

# Before st.navigation, which would fetch the icon of the page from a server of Google's for the browser's tab.
st.set_page_config(
    page_icon=str(HERE / "pages" / "ui" / "icon.png"),
    layout="wide",
    initial_sidebar_state="collapsed",
)
# The addresses equal the files' names, so that Streamlit knows them even before its first run of this script:
# see frame.leave_folder_mode.
page = st.navigation(
    {
        section: [
            st.Page(f"pages/{file}.py", title=title, icon=f":material/{icon}:", default=file == "start")
            for file, title, icon in entries
            if (HERE / "pages" / f"{file}.py").exists()
        ]
        for section, entries in PAGES.items()
    },
    position="top",
)
st.set_page_config(page_title=f"{page.title} · Measure Lab")
page.run()
