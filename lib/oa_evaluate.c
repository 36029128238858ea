// SPDX-License-Identifier: MIT
/* Runs compiled equations. */
#include "lib/oa_file.h"

static struct hadal_oa_value integer(uint64_t value)
{
	return (struct hadal_oa_value){ .kind = HADAL_OA_INTEGER, .integer = value };
}

static struct hadal_oa_value real(double value)
{
	return (struct hadal_oa_value){ .kind = HADAL_OA_REAL, .real = value };
}

static double to_real(struct hadal_oa_value value)
{
	return value.kind == HADAL_OA_REAL ? value.real : (double)value.integer;
}

static uint64_t to_integer(struct hadal_oa_value value)
{
	if (value.kind == HADAL_OA_INTEGER)
		return value.integer;
	if (!(value.real > 0))
		return 0;
	/* The first double that is too large. */
	return value.real >= 18446744073709551616.0 ? UINT64_MAX : (uint64_t)value.real;
}

static struct hadal_oa_value divide(double a, double b)
{
	return real(b != 0 ? a / b : 0);
}

static struct hadal_oa_value apply_real(enum oa_operation op, double a, double b)
{
	switch (op) {
	case OA_FADD:
		return real(a + b);
	case OA_FSUB:
		return real(a - b);
	case OA_FMUL:
		return real(a * b);
	case OA_FDIV:
		return divide(a, b);
	default:
		return real(a > b ? a : b);
	}
}

static struct hadal_oa_value apply_integer(enum oa_operation op, uint64_t a, uint64_t b)
{
	switch (op) {
	case OA_UADD:
		return integer(a + b);
	case OA_USUB:
		return integer(a - b);
	case OA_UMUL:
		return integer(a * b);
	case OA_UDIV:
		return integer(b ? a / b : 0);
	case OA_UMIN:
		return integer(a < b ? a : b);
	case OA_AND:
		return integer(a & b);
	case OA_SHIFT_LEFT:
		return integer(b < 64 ? a << b : 0);
	case OA_SHIFT_RIGHT:
		return integer(b < 64 ? a >> b : 0);
	case OA_UGT:
		return integer(a > b);
	case OA_UGTE:
		return integer(a >= b);
	case OA_ULT:
		return integer(a < b);
	case OA_ULTE:
		return integer(a <= b);
	default:
		return integer(a && b);
	}
}

static bool is_zero(struct hadal_oa_value value)
{
	return value.kind != HADAL_OA_UNKNOWN && to_integer(value) == 0;
}

static struct hadal_oa_value apply(enum oa_operation op, struct hadal_oa_value a,
				   struct hadal_oa_value b)
{
	if (a.kind == HADAL_OA_UNKNOWN || b.kind == HADAL_OA_UNKNOWN) {
		if ((op == OA_AND || op == OA_BOTH) && (is_zero(a) || is_zero(b)))
			return integer(0);
		return (struct hadal_oa_value){ .kind = HADAL_OA_UNKNOWN };
	}
	if (op >= OA_FADD)
		return apply_real(op, to_real(a), to_real(b));
	return apply_integer(op, to_integer(a), to_integer(b));
}

struct hadal_oa_value hadal_oa_run(const struct hadal_oa_file *file,
				   struct hadal_oa_program program,
				   const struct hadal_oa_device *device, const uint64_t *raw,
				   const struct hadal_oa_value *counters)
{
	const uint32_t *word = file->words + program.first;
	const uint32_t *end = word + program.count;
	struct hadal_oa_value stack[HADAL_OA_STACK];
	struct hadal_oa_value *top = stack;

	if (!program.count)
		return (struct hadal_oa_value){ .kind = HADAL_OA_UNKNOWN };
	/* The compiler has checked every index and that the stack neither overflows nor runs dry. */
	while (word < end) {
		enum oa_operation op = *word & 0xff;
		uint32_t argument = *word++ >> 8;

		switch (op) {
		case OA_PUSH:
			*top++ = integer(argument);
			break;
		case OA_PUSH_WIDE:
			*top++ = integer(word[0] | (uint64_t)word[1] << 32);
			word += 2;
			break;
		case OA_READ:
			*top++ = integer(raw[argument]);
			break;
		case OA_VARIABLE:
			*top++ = device->variables[argument];
			break;
		case OA_COUNTER:
			*top++ = counters[argument];
			break;
		default:
			top--;
			top[-1] = apply(op, top[-1], top[0]);
			break;
		}
	}
	return stack[0];
}

static struct hadal_oa_value as_type(struct hadal_oa_value value, enum hadal_oa_data_type type)
{
	if (value.kind == HADAL_OA_UNKNOWN)
		return value;
	return type == HADAL_OA_FLOAT ? real(to_real(value)) : integer(to_integer(value));
}

void hadal_oa_evaluate(const struct hadal_oa_file *file, const struct hadal_oa_set *set,
		       const struct hadal_oa_device *device, const uint64_t *raw,
		       struct hadal_oa_value *values)
{
	const struct hadal_oa_counter *counters = file->counters + set->first_counter;

	for (uint32_t i = 0; i < set->counter_count; i++) {
		values[i] = hadal_oa_run(file, counters[i].value, device, raw, values);
		values[i] = as_type(values[i], counters[i].type);
	}
}
