"""Draws ``docs/figures/wave-*.svg`` from the WaveJSON files in ``docs/waves/``.

Needs ``requirements-docs.txt``. The drawings are committed; ``--check`` tells whether they are up to date.
Beside what WaveDrom knows, a file has ``title`` and ``description``, for readers who cannot see the drawing.
"""

from __future__ import annotations

import argparse
import json
import sys
from xml.etree import ElementTree

from scripts import ROOT
from scripts.interrupt import end_on_signals

WAVES = ROOT / "docs" / "waves"
FIGURES = ROOT / "docs" / "figures"

# In place of WaveDrom's own style: light paper, and dark paper where the reader's screen is dark. The classes
# info, muted and s1 to s15 are WaveDrom's, all others come from CLASSES.
STYLE = """
text { font: 13px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; fill: #1f2328 }
.info { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace }
.muted { font-size: 12px; fill: #57606a }
.small { font-size: 12px }
.paper { fill: #ffffff }
.s1, .s2, .s3, .s4 { fill: none; stroke: #1f2328; stroke-linecap: round }
.s2 { stroke-width: 0.5 }
.s3 { stroke-dasharray: 1 3 }
.s5, .s7 { fill: #ffffff }
.s6 { fill: #1f2328 }
.s8 { fill: #fdf2dc }
.s9 { fill: #f9dcc8 }
.s10 { fill: #d3e6fb }
.s14 { fill: #ffd4d0 }
.mark { stroke: #8c959f; stroke-width: 0.5; stroke-dasharray: 1 3 }
.arc { fill: none; stroke: #2f6fc4 }
.arrow { fill: none; stroke: #2f6fc4; marker-end: url(#arrowhead) }
.tip { fill: #2f6fc4 }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.muted { fill: #9da7b3 }
.paper { fill: #0d1117 }
.s1, .s2, .s3, .s4 { stroke: #e6edf3 }
.s5, .s7 { fill: #0d1117 }
.s6 { fill: #e6edf3 }
.s8 { fill: #4a3a14 }
.s9 { fill: #55301a }
.s10 { fill: #17375c }
.s14 { fill: #6b2320 }
.mark { stroke: #6e7681 }
.arc, .arrow { stroke: #6ea8fe }
.tip { fill: #6ea8fe }
}
"""
# Colours and sizes that WaveDrom writes into elements, by the class that stands for them.
CLASSES = {
    "fill:#FFF;": "paper",
    "font-size:8px;": "small",
    "fill:none;stroke:#00F;stroke-width:1": "arc",
    "marker-end:url(#arrowhead);stroke:#0041c4;stroke-width:1;fill:none": "arrow",
    "stroke:#0041c4;stroke-width:1;fill:none": "arc",
    "stroke:#888;stroke-width:0.5;stroke-dasharray:1,3": "mark",
}
# Of the arrowhead. WaveDrom's stands beside its line's end.
ARROWHEAD = {
    "viewBox": "-8 -4 8 8", "refX": "-0.5", "refY": "0", "markerWidth": "8", "markerHeight": "8",
    "markerUnits": "userSpaceOnUse",
}  # fmt: skip
LABEL = ("x", "y", "width", "height")
SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"


def render(text: str) -> str:
    """The SVG of a WaveJSON file's text."""
    import wavedrom

    wave = json.loads(text)
    root = ElementTree.fromstring(wavedrom.render(text).tostring())
    tidy(root)
    keep_what_is_used(root)
    width, height = root.attrib["width"], root.attrib["height"]
    root.attrib.clear()
    root.attrib.update(width=width, height=height, viewBox=f"0 0 {width} {height}", role="img")
    first = [
        child("title", wave["title"]),
        child("desc", wave["description"]),
        child("style", STYLE),
        child("rect", **{"class": "paper"}, width=width, height=height, rx="6"),
    ]
    for place, element in enumerate(first):
        root.insert(place, element)
    ElementTree.register_namespace("", SVG.strip("{}"))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def child(name: str, text: str | None = None, **attributes: str) -> ElementTree.Element:
    """An element of an SVG."""
    element = ElementTree.Element(SVG + name, attributes)
    element.text = text
    return element


def tidy(root: ElementTree.Element) -> None:
    """Puts classes in place of styles, and text into its element."""
    for element in root.iter():
        style = element.attrib.pop("style", None)
        if style in CLASSES:
            element.set("class", CLASSES[style])
        if "href" not in element.attrib and HREF in element.attrib:
            element.set("href", element.attrib.pop(HREF))
        if element.tag == SVG + "text":
            element.attrib.pop(SPACE, None)
            element.attrib.pop("fill", None)
            element.text = "".join(element.itertext())
            for part in list(element):
                element.remove(part)
        if element.tag == SVG + "rect" and style == "fill:#FFF;":
            # It lies under a label, whose letters are larger here.
            element.attrib.update({key: f"{1.5 * float(element.attrib[key]):g}" for key in LABEL})
        if element.tag == SVG + "marker":
            element.attrib.update(ARROWHEAD)
            element[0].attrib.update({"class": "tip", "d": "M-8 -4 0 0 -8 4z"})


def keep_what_is_used(root: ElementTree.Element) -> None:
    """Removes WaveDrom's own style, what nothing refers to, and empty groups."""
    used = {element.attrib["href"].removeprefix("#") for element in root.iter(SVG + "use")}
    used |= {"arrowhead"} if any(e.get("class") == "arrow" for e in root.iter()) else set()
    for parent in list(root.iter()):
        defines = parent.tag == SVG + "defs"
        for element in list(parent):
            if element.tag == SVG + "style" or (defines and element.get("id") not in used):
                parent.remove(element)
            elif not defines:
                element.attrib.pop("id", None)
    for parent in reversed(list(root.iter())):
        for element in list(parent):
            if element.tag == SVG + "g" and not len(element):
                parent.remove(element)


def main() -> int:
    """Draws all of them, or checks them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; status 1 when a drawing is old")
    arguments = parser.parse_args()
    old = 0
    for source in sorted(WAVES.glob("*.json")):
        path = FIGURES / f"wave-{source.stem}.svg"
        try:
            drawn = render(source.read_text())
        except ModuleNotFoundError as error:
            print(f"{error.name} is not installed: pip install -r requirements-docs.txt", file=sys.stderr)
            return 2
        if arguments.check:
            current = path.is_file() and path.read_text() == drawn
            old += not current
            print(f"{path}: {'up to date' if current else f'not what {source} gives'}")
        else:
            path.write_text(drawn)
            print(path)
    return 1 if old else 0


if __name__ == "__main__":
    end_on_signals("waves")
    sys.exit(main())
