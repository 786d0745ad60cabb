/* SPDX-License-Identifier: ISC */
/* The other unit: inlines across units when these are optimised together. */
struct list {
	struct list *next;
	int value;
};

extern int start(int n, struct list *l);
int main(int argc, char **argv);
void _start(void);

static int
length(char **argv)
{
	int n = 0;

	while (argv && *argv++)
		n++;
	return n;
}

int
main(int argc, char **argv)
{
	struct list b = { 0, argc }, a = { &b, length(argv) };

	return start(argc, &a);
}

#ifdef FREESTANDING
void
_start(void)
{
	main(1, 0);
	for (;;)
		;
}
#endif
