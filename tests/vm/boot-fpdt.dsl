// SPDX-License-Identifier: MIT
// A firmware's table of boot times; what it points to is at 256 MiB, where boot-fpdt.sh puts it.
[0004]                  Signature : "FPDT"
[0004]               Table Length : 00000044
[0001]                   Revision : 01
[0001]                   Checksum : 00
[0006]                     Oem ID : "HADAL "
[0008]               Oem Table ID : "LAB"
[0004]               Oem Revision : 00000001
[0004]            Asl Compiler ID : "INTL"
[0004]      Asl Compiler Revision : 20200925

[0002]              Subtable Type : 0000
[0001]                     Length : 10
[0001]                   Revision : 01
[0004]                   Reserved : 00000000
[0008]   FPDT Boot Record Address : 0000000010000000

[0002]              Subtable Type : 0001
[0001]                     Length : 10
[0001]                   Revision : 01
[0004]                   Reserved : 00000000
[0008]        S3PT Record Address : 0000000010000100
