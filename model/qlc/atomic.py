"""Writing a file, or several, so that they are there whole or not at all."""

import os
from collections.abc import Mapping
from pathlib import Path


def write_atomic(path: Path, data: bytes) -> None:
    """Write `data` beside `path`, then rename it there. Raises `OSError`, leaving nothing behind."""
    write_all_atomic({path: data})


def write_all_atomic(files: Mapping[Path, bytes]) -> None:
    """Write files as `write_atomic` does, renaming the first once all are written.

    Raises `OSError`. Nothing is left behind unless a rename fails, and then the files that were not there
    before are removed again.
    """
    temporaries: dict[Path, Path] = {}
    made: list[Path] = []
    try:
        try:
            for path, data in files.items():
                if path.exists() and not path.is_file():
                    path.write_bytes(data)  # a device or pipe must not be replaced by a file
                    continue
                target = path.resolve()
                temporaries[path] = target.with_name(f".{target.name}.{os.getpid()}")
                temporaries[path].write_bytes(data)
            for path, temporary in temporaries.items():
                target = path.resolve()
                new = not target.exists()
                temporary.replace(target)
                if new:
                    made.append(target)
        except OSError:
            for target in made:
                target.unlink(missing_ok=True)
            raise
        finally:
            for temporary in temporaries.values():
                temporary.unlink(missing_ok=True)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None  # not the temporary's name
