"""What is left of a countermeasure against resistance (GS-T-0).

Belongs here: that, and nothing else. Does not belong here: which countermeasure counts where.
"""


def eff(number: int, eccm: int) -> int:
    """What a countermeasure does to a radar or a missile of this resistance; never less than 0."""
    return max(0, number - eccm)


def eff_half(number: int, eccm: int) -> int:
    """The same of half a countermeasure, rounded up before the resistance counts."""
    return max(0, (number + 1) // 2 - eccm)
