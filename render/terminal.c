/* SPDX-License-Identifier: ISC */
/* Text for a terminal; see terminal.h. */
#include "terminal.h"
#include "label.h"
#include "utf8.h"

#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_LEAST = 20, WIDTH_MOST = 10000, EIGHTHS = 8 };

static const struct str STYLES[TERMINAL_STYLES] = {
	[TERMINAL_PLAIN] = { "\033[0m", 4 },
	[TERMINAL_BOLD] = { "\033[1m", 4 },
	[TERMINAL_DIM] = { "\033[2m", 4 },
	[TERMINAL_BAR] = { "\033[33m", 5 },
	[TERMINAL_MORE] = { "\033[33m", 5 },
	[TERMINAL_LESS] = { "\033[36m", 5 },
};

/* Whether the locale's encoding is UTF-8, by its name, so that it need not be installed. */
static bool
is_utf8_locale(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *locale = NULL, *c;
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names && (!locale || !*locale); i++)
		locale = getenv(names[i]);
	for (c = locale ? locale : ""; *c; c++)
		if ((c[0] | 0x20) == 'u' && (c[1] | 0x20) == 't' && (c[2] | 0x20) == 'f')
			return c[3] == '8' || (c[3] == '-' && c[4] == '8');
	return false;
}

static bool
is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value;
}

static size_t
find_width(int fd)
{
	struct winsize size = { 0 };
	uint64_t columns;

	if (str_to_u64(str_of(getenv("COLUMNS")), &columns) && columns)
		return columns < WIDTH_MOST ? (size_t)columns : WIDTH_MOST;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col)
		return size.ws_col;
	return TERMINAL_WIDTH;
}

void
terminal_init(struct terminal *t, int fd, size_t width, enum terminal_colour colour)
{
	bool is_terminal = isatty(fd);
	const char *type = getenv("TERM");

	*t = (struct terminal){ .utf8 = is_utf8_locale(), .width = width };
	t->ascii = is_terminal && !t->utf8;
	t->cut = is_terminal || width;
	if (!width)
		t->width = is_terminal ? find_width(fd) : TERMINAL_WIDTH;
	if (t->width < WIDTH_LEAST)
		t->width = WIDTH_LEAST;
	t->colour = colour == TERMINAL_ALWAYS ||
		(colour == TERMINAL_AUTO && is_terminal && !is_set("NO_COLOR") &&
			!str_eq(str_of(type), STR("dumb")));
}

void
terminal_put_style(struct buf *b, const struct terminal *t, enum terminal_style style)
{
	if (t->colour)
		buf_str(b, STYLES[style]);
}

void
terminal_put_name(
	struct buf *b, const struct terminal *t, struct str name, size_t columns)
{
	struct str mark = t->utf8 ? BUF_MARK : STR("?");
	uint32_t most = t->ascii ? 0x7f : BUF_MOST;
	struct buf whole = { 0 };

	if (!t->cut) {
		buf_visible(b, name, mark, most);
		return;
	}
	buf_visible(&whole, name, mark, most);
	label_cut(b, buf_view(&whole), columns, t->utf8 ? LABEL_ELLIPSIS : STR(".."));
	buf_release(&whole);
}

void
terminal_put_right(struct buf *b, struct str text, size_t columns)
{
	size_t wide = label_columns(text);

	for (; wide < columns; wide++)
		buf_char(b, ' ');
	buf_str(b, text);
}

void
terminal_put_bar(struct buf *b, const struct terminal *t, double part, size_t columns)
{
	double steps = (t->utf8 ? EIGHTHS : 1) * (double)columns;
	size_t eighths = (size_t)llround(fmin(fmax(part, 0), 1) * steps), i;

	eighths *= t->utf8 ? 1 : EIGHTHS;
	terminal_put_style(b, t, TERMINAL_BAR);
	for (i = 0; i < columns; i++) {
		size_t left = eighths > EIGHTHS * i ? eighths - EIGHTHS * i : 0;

		/* U+2588 is the full block, U+2589 to U+258F are ever narrower. */
		if (!left)
			buf_char(b, ' ');
		else if (!t->utf8)
			buf_char(b, '#');
		else
			buf_fmt(b, "\xe2\x96%c",
				left > EIGHTHS ? 0x88 : 0x90 - (int)left);
	}
	terminal_put_style(b, t, TERMINAL_PLAIN);
}
