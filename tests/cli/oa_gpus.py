# SPDX-License-Identifier: MIT
"""Trees of files as the kernel shows GPUs in, for the scripts of this folder."""
import pathlib
import shutil
import struct
import tempfile


class Tree:
    """A folder with /sys, /proc and /dev of a machine, and where fake_i915 keeps its sets."""

    def __init__(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="hadal-oa-"))
        for folder in ("sys/class/drm", "dev/dri", "ids", "store"):
            (self.root / folder).mkdir(parents=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.root)

    def write(self, path, text):
        """One file, with its folders."""
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def gpu(self, card, driver, device, *, node="renderD128", slot="0000:00:02.0", metrics=True):
        """A card with its driver; `node` None: it has no render node."""
        place = f"sys/devices/pci0000:00/{slot}"
        self.write(f"{place}/vendor", "0x8086\n")
        self.write(f"{place}/device", f"{device}\n")
        self.write(f"{place}/revision", "0x01\n")
        (self.root / f"{place}/drm/{card}").mkdir(parents=True)
        if node:
            (self.root / f"{place}/drm/{node}").mkdir()
        self.write(f"dev/dri/{node or card}", "")
        (self.root / f"sys/bus/pci/drivers/{driver}").mkdir(parents=True, exist_ok=True)
        (self.root / place / "driver").symlink_to(f"../../../bus/pci/drivers/{driver}")
        folder = self.root / f"sys/class/drm/{card}"
        folder.mkdir()
        (folder / "device").symlink_to(f"../../../devices/pci0000:00/{slot}")
        if metrics:
            (folder / "metrics").mkdir()

    def loaded(self, card, uuid, number):
        """A set in sysfs."""
        self.write(f"sys/class/drm/{card}/metrics/{uuid}/id", f"{number}\n")

    def paranoid(self, value):
        """Who may add sets to i915."""
        self.write("proc/sys/dev/i915/perf_stream_paranoid", f"{value}\n")

    def sets(self, card="card0"):
        """UUID -> id, as sysfs has them."""
        return {folder.name: int((folder / "id").read_text(encoding="utf-8"))
                for folder in (self.root / f"sys/class/drm/{card}/metrics").iterdir()}

    def registers(self):
        """UUID -> for each class the registers in order, as fake_i915 was given them."""
        return {path.name: stored(path.read_bytes()) for path in (self.root / "store").iterdir()}


def stored(data):
    """One file of fake_i915's: counts, then 4096 pairs of words of each class."""
    counts = struct.unpack_from("=3I", data)
    return tuple(tuple(struct.iter_unpack("=2I", data[12 + c * 32768:12 + c * 32768 + count * 8]))
                 for c, count in enumerate(counts))
