"""A page as a tree, and frames applied to it as the browser does: just enough HTML for that.

The markup under test is our own and well formed, so there are no rules for repairing it; what is not
closed in order is an error.
"""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

VOID = frozenset(
    "area base br col embed hr img input link meta source track wbr".split()  # noqa: SIM905
)


class Element:
    """An element; `children` are elements and text."""

    def __init__(self, tag: str, attrs: dict[str, str] | None = None) -> None:
        self.tag = tag
        self.attrs = attrs or {}
        self.children: list[Element | str] = []

    def __repr__(self) -> str:
        return f"<{self.tag} {self.attrs}>"

    def walk(self) -> Iterator["Element"]:
        """This element and all inside, in order."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def text(self) -> str:
        """All text inside."""
        return "".join(c if isinstance(c, str) else c.text() for c in self.children)

    def first(self, tag: str) -> "Element":
        """The first element of a kind."""
        return next(element for element in self.walk() if element.tag == tag)

    def find(self, id_: str) -> "Element | None":
        """The element with an id. Fails when there are two."""
        found = [element for element in self.walk() if element.attrs.get("id") == id_]
        assert len(found) <= 1, f"two elements have the id {id_}"
        return found[0] if found else None

    def parent_of(self, wanted: "Element") -> "Element":
        """The element that holds another one."""
        return next(one for one in self.walk() if any(child is wanted for child in one.children))

    def elements(self) -> "list[Element]":
        """The children that are elements."""
        return [child for child in self.children if isinstance(child, Element)]

    def canonical(self) -> str:
        """The same text for equal trees: attributes in order, white space as one blank or none."""
        inner = "".join(
            child.canonical() if isinstance(child, Element) else re.sub(r"\s+", " ", child).strip()
            for child in self.children
        )
        attrs = "".join(f' {name}="{value}"' for name, value in sorted(self.attrs.items()))
        return f"<{self.tag}{attrs}>{inner}</{self.tag}>"

    def duplicates(self) -> list[str]:
        """Ids that more than one element has."""
        ids = [element.attrs["id"] for element in self.walk() if "id" in element.attrs]
        return sorted({one for one in ids if ids.count(one) > 1})


class _Builder(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("root")
        self.open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes {self.open[-1]}"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse(html: str) -> Element:
    """The tree of a page or fragment."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    assert builder.open == [builder.root], f"not closed: {builder.open[1:]}"
    return builder.root


def apply(page: Element, frame: str) -> None:
    """Change a page as a frame says: each `hx-partial` names its target and how it is put there."""
    for partial in parse(frame).elements():
        assert partial.tag == "hx-partial", partial
        target_id = partial.attrs["hx-target"].removeprefix("#")
        target = page.find(target_id)
        assert target is not None, f"the page has no #{target_id}"
        how, *options = partial.attrs["hx-swap"].split()
        content = partial.children
        if "strip:true" in options:
            (wrapper,) = partial.elements()
            content = wrapper.children
        if how == "outerMorph":
            parent = page.parent_of(target)
            place = next(n for n, child in enumerate(parent.children) if child is target)
            parent.children[place : place + 1] = content
        elif how in ("innerMorph", "innerHTML"):
            target.children = content
        elif how == "upsert":
            for element in [child for child in content if isinstance(child, Element)]:
                _upsert(page, target, element)
        else:
            raise AssertionError(f"unknown swap {how}")


def _upsert(page: Element, target: Element, element: Element) -> None:
    """As the extension does: what is there by id is replaced, else it goes where its id sorts it."""
    old = page.find(element.attrs["id"])
    if old is not None:
        parent = page.parent_of(old)
        parent.children[next(n for n, c in enumerate(parent.children) if c is old)] = element
        return
    key = _number(element)
    for n, child in enumerate(target.children):
        if isinstance(child, Element) and key < _number(child):
            target.children.insert(n, element)
            return
    target.children.append(element)


def _number(element: Element) -> int:
    return int(re.sub(r"\D", "", element.attrs["id"]))
