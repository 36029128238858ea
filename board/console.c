// SPDX-License-Identifier: MIT
/* Lines on the first serial port, a 16550. Register numbers and bits: its data sheet. */
#include "board/console.h"

#include "board/io.h"

#define COM1 0x3f8
#define DATA (COM1 + 0)	   /* divisor, low byte, while DLAB is set */
#define DIVISOR (COM1 + 1) /* its high byte, while DLAB is set */
#define FIFO_CONTROL (COM1 + 2)
#define FIFO_ENABLE 0x01
#define LINE_CONTROL (COM1 + 3)
#define LINE_8N1 0x03
#define LINE_DLAB 0x80
#define LINE_STATUS (COM1 + 5)
#define LINE_STATUS_THRE 0x20 /* room for a byte; absent ports read 0xff, so they do not block */

void console_init(void)
{
	outb(LINE_CONTROL, LINE_DLAB | LINE_8N1);
	outb(DATA, 1); /* 115200 / 1 */
	outb(DIVISOR, 0);
	outb(LINE_CONTROL, LINE_8N1);
	outb(FIFO_CONTROL, FIFO_ENABLE);
}

static void put(char c)
{
	while (!(inb(LINE_STATUS) & LINE_STATUS_THRE))
		;
	outb(DATA, (uint8_t)c);
}

void console_text(const char *text)
{
	for (; *text; text++) {
		if (*text == '\n')
			put('\r');
		put(*text);
	}
}

void console_value(const char *text, uint32_t value)
{
	console_text(text);
	console_text(" 0x");
	for (int shift = 28; shift >= 0; shift -= 4)
		put("0123456789abcdef"[value >> shift & 15]);
	console_text("\n");
}

_Noreturn void console_stop(const char *reason)
{
	console_text("board: stopped: ");
	console_text(reason);
	console_text("\n");
	for (;;)
		halt();
}
