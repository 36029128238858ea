# SPDX-License-Identifier: MIT
"""Libraries in front of those that the tool is linked with, for the scripts of this folder."""
import re
import subprocess


def preload(tool, library):
    """LD_PRELOAD that puts `library` first; but a tool with AddressSanitizer wants its run time before it."""
    linked = subprocess.run(["ldd", tool], capture_output=True, text=True, check=False).stdout
    return ":".join([*re.findall(r"(/\S*libasan\S*)", linked), library])
