"""Writing a file so that it is there whole or not at all."""

import os
from pathlib import Path


def write_atomic(path: Path, data: bytes) -> None:
    """Write `data` beside `path`, then rename it there. Raises `OSError`, leaving nothing behind."""
    if path.exists() and not path.is_file():
        path.write_bytes(data)  # a device or pipe must not be replaced by a file
        return
    target = path.resolve()
    temporary = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        try:
            temporary.write_bytes(data)
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # not the temporary's name
