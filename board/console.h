/* SPDX-License-Identifier: MIT */
/* What the firmware has to say: lines on the first serial port. */
#ifndef HADAL_BOARD_CONSOLE_H
#define HADAL_BOARD_CONSOLE_H

#include <stdint.h>

/* Sets the port up: 115200 baud, 8 bits, no parity. Once, in the bootblock. */
void console_init(void);

void console_text(const char *text);

/* "text 0x0123abcd", and a new line. */
void console_value(const char *text, uint32_t value);

/* Says why, and stops this CPU for good. */
_Noreturn void console_stop(const char *reason);

#endif
