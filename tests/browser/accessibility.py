"""What axe finds on a page, but for what is not ours to mend."""


def broken_rules(axe, page) -> list[tuple[str, list[str]]]:
    """The rules that the page breaks, each with the elements that break it."""
    # Streamlit's own uploader puts a button into an element that must not hold one
    return [
        (rule["id"], [node["html"][:200] for node in rule["nodes"]])
        for rule in axe(page)
        if not all("stFileUploader" in node["html"] for node in rule["nodes"])
    ]
