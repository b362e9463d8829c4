"""Golden model of Quad Length Codes (QLC)."""
