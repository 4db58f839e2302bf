"""stub"""


def finder(page, load):
    pass
