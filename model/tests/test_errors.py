import pytest
from qlc.errors import Error, InputError


def test_codes_and_labels() -> None:
    assert {error.value: error.label for error in Error} == {
        0: "good",
        1: "truncated",
        2: "unknown-table",
        3: "illegal-codeword",
        4: "length-mismatch",
        5: "nonzero-padding",
        6: "raw-mismatch",
        7: "crc-mismatch",
        8: "no-crc",
        9: "after-last",
    }


@pytest.mark.parametrize(("place", "text"), [("line 3", "f: line 3: bad"), ("", "f: bad")])
def test_input_error_is_one_line(place, text) -> None:
    assert str(InputError("f", place, "bad")) == text
