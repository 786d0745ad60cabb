/* SPDX-License-Identifier: ISC */
/* Deep inlining without any library, for targets that have none. */
struct list {
	struct list *next;
	int value;
};

extern int sink(int x);
int start(int n, struct list *l);

static inline __attribute__((always_inline)) int
square(int x)
{
	return x * x + sink(x);
}

static inline __attribute__((always_inline)) int
fourth(int x)
{
	if (x > 3)
		return square(square(x));
	return square(x) - square(x + 1);
}

static inline __attribute__((always_inline)) int
sum(const struct list *l, int (*f)(int))
{
	int s = 0;

	for (; l; l = l->next)
		s += f(l->value);
	return s;
}

static int
cube(int x)
{
	return x * square(x);
}

__attribute__((noinline)) static int
twice(const struct list *l)
{
	int n = sum(l, fourth);

	if (__builtin_expect(n == 77, 0)) {
		sink(n);
		n += sum(l, cube);
		__builtin_trap();
	}
	return n + sum(l, square);
}

int
never_called(int n)
{
	return fourth(n) + cube(n);
}

__attribute__((noinline)) int
sink(int x)
{
	__asm__ volatile("" : "+r"(x));
	return x + 1;
}

int
start(int n, struct list *l)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += i & 1 ? fourth(s) : sum(l, cube);
	return s + twice(l);
}
