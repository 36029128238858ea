// SPDX-License-Identifier: MIT
/*
 * Compiles the equations of metric files: blank-separated reverse Polish notation, all operators
 * with two operands, the second one popped first.
 */
#include <stdio.h>
#include <string.h>

#include "lib/oa_file.h"

struct token {
	const char *text;
	size_t length;
};

struct compiler {
	struct oa_file *file;
	const struct hadal_oa_set *set;
	const char *rest;
	uint32_t words[OA_EQUATION_WORDS];
	uint32_t count;
	uint32_t depth;
	char *why;
	size_t why_size;
};

static const struct {
	char name[5];
	uint8_t length;
	uint8_t operation;
} operators[] = {
	{ "UMUL", 4, OA_UMUL },	     { "FDIV", 4, OA_FDIV }, { "UDIV", 4, OA_UDIV },
	{ "UADD", 4, OA_UADD },	     { "FADD", 4, OA_FADD }, { "FMUL", 4, OA_FMUL },
	{ "AND", 3, OA_AND },	     { "USUB", 4, OA_USUB }, { "FSUB", 4, OA_FSUB },
	{ "UMIN", 4, OA_UMIN },	     { "FMAX", 4, OA_FMAX }, { "<<", 2, OA_SHIFT_LEFT },
	{ ">>", 2, OA_SHIFT_RIGHT }, { "&&", 2, OA_BOTH },   { "UGT", 3, OA_UGT },
	{ "UGTE", 4, OA_UGTE },	     { "ULT", 3, OA_ULT },   { "ULTE", 4, OA_ULTE },
};

#define FAIL(c, ...) (snprintf((c)->why, (c)->why_size, __VA_ARGS__), false)

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool next_token(struct compiler *c, struct token *token)
{
	const char *at = c->rest;

	while (is_blank(*at))
		at++;
	token->text = at;
	while (*at && !is_blank(*at))
		at++;
	token->length = (size_t)(at - token->text);
	c->rest = at;
	return token->length != 0;
}

static bool token_is(const struct token *token, const char *word)
{
	return strlen(word) == token->length && memcmp(token->text, word, token->length) == 0;
}

/* For messages: as much of a token as is worth showing. */
static int shown(const struct token *token)
{
	return token->length < 40 ? (int)token->length : 40;
}

static bool emit(struct compiler *c, enum oa_operation op, uint32_t argument)
{
	if (c->count == OA_EQUATION_WORDS)
		return FAIL(c, "is longer than %d words", OA_EQUATION_WORDS);
	c->words[c->count++] = (uint32_t)op | argument << 8;
	return true;
}

static bool emit_push(struct compiler *c, enum oa_operation op, uint32_t argument)
{
	if (c->depth == HADAL_OA_STACK)
		return FAIL(c, "holds more than %d values at once", HADAL_OA_STACK);
	c->depth++;
	return emit(c, op, argument);
}

static bool emit_number(struct compiler *c, uint64_t value)
{
	if (value <= OA_ARGUMENT_MAX)
		return emit_push(c, OA_PUSH, (uint32_t)value);
	if (c->count + 3 > OA_EQUATION_WORDS)
		return FAIL(c, "is longer than %d words", OA_EQUATION_WORDS);
	if (!emit_push(c, OA_PUSH_WIDE, 0))
		return false;
	c->words[c->count++] = (uint32_t)value;
	c->words[c->count++] = (uint32_t)(value >> 32);
	return true;
}

/* Value of a digit in bases up to 16; 16 for anything else. */
static uint32_t digit(char c)
{
	if (c >= '0' && c <= '9')
		return (uint32_t)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (uint32_t)(c - 'a' + 10);
	return c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10) : 16;
}

static bool parse_number(struct compiler *c, const struct token *token, uint64_t *value)
{
	bool hex = token->length > 2 && token->text[0] == '0' && (token->text[1] | 0x20) == 'x';
	uint32_t base = hex ? 16 : 10;

	*value = 0;
	for (size_t i = hex ? 2 : 0; i < token->length; i++) {
		uint32_t d = digit(token->text[i]);

		if (d >= base)
			return FAIL(c, "has a malformed number '%.*s'", shown(token), token->text);
		if (*value > (UINT64_MAX - d) / base)
			return FAIL(c, "has a number above 64 bits: '%.*s'", shown(token),
				    token->text);
		*value = *value * base + d;
	}
	return true;
}

/* Index of the set's counter of that name among those added so far, or -1. */
static int find_counter(const struct compiler *c, const char *name, size_t length)
{
	const struct hadal_oa_counter *counters;

	if (!c->set)
		return -1;
	counters = c->file->pub.counters + c->set->first_counter;
	for (uint32_t i = 0; i < c->set->counter_count; i++) {
		const char *symbol = counters[i].symbol_name;

		if (symbol && strncmp(symbol, name, length) == 0 && !symbol[length])
			return (int)i;
	}
	return -1;
}

static bool compile_name(struct compiler *c, const struct token *token)
{
	const char *name = token->text + 1;
	size_t length = token->length - 1;
	int index = find_counter(c, name, length);

	if (index >= 0)
		return emit_push(c, OA_COUNTER, (uint32_t)index);
	index = oa_variable_find(name, length);
	if (index >= 0)
		return emit_push(c, OA_VARIABLE, (uint32_t)index);
	return FAIL(c, "names '%.*s', which is no device variable and no counter before this one",
		    shown(token), token->text);
}

static bool emit_read(struct compiler *c, enum hadal_oa_group group, uint64_t n,
		      const struct token *name)
{
	int index = n <= UINT32_MAX ? hadal_oa_raw_index(group, (uint32_t)n) : -1;

	if (index < 0)
		return FAIL(c, "reads value %llu of group %.*s, which has fewer",
			    (unsigned long long)n, shown(name), name->text);
	return emit_push(c, OA_READ, (uint32_t)index);
}

/* "A 7 READ", with the group already taken. */
static bool compile_read(struct compiler *c, enum hadal_oa_group group, const struct token *name)
{
	struct token number, read;
	uint64_t n;

	if (!next_token(c, &number) || !next_token(c, &read) || !token_is(&read, "READ"))
		return FAIL(c, "has group %.*s without a number and READ", shown(name), name->text);
	return parse_number(c, &number, &n) && emit_read(c, group, n, name);
}

/* The older "PERFCNT1 x READ_REG": counter 1 or 2, read from whatever register x is. */
static bool compile_read_register(struct compiler *c, const struct token *name)
{
	struct token reg, read;

	if (!next_token(c, &reg) || !next_token(c, &read) || !token_is(&read, "READ_REG"))
		return FAIL(c, "has %.*s without a register and READ_REG", shown(name), name->text);
	return emit_read(c, HADAL_OA_PERFCNT, (uint64_t)(name->text[7] - '1'), name);
}

static bool compile_operator(struct compiler *c, const struct token *token)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		if (operators[i].length != token->length ||
		    memcmp(operators[i].name, token->text, token->length) != 0)
			continue;
		if (c->depth < 2)
			return FAIL(c, "has too few operands for %s", operators[i].name);
		c->depth--;
		return emit(c, operators[i].operation, 0);
	}
	return FAIL(c, "has an unknown word '%.*s'", shown(token), token->text);
}

static bool compile_token(struct compiler *c, const struct token *token)
{
	enum hadal_oa_group group;
	uint64_t value;

	if (token->text[0] == '$')
		return compile_name(c, token);
	if (token->text[0] >= '0' && token->text[0] <= '9')
		return parse_number(c, token, &value) && emit_number(c, value);
	group = oa_group_find(token->text, token->length);
	if (group != HADAL_OA_GROUPS)
		return compile_read(c, group, token);
	if (token_is(token, "PERFCNT1") || token_is(token, "PERFCNT2"))
		return compile_read_register(c, token);
	if (token_is(token, "true"))
		return emit_number(c, 1);
	return compile_operator(c, token);
}

static bool compile(struct compiler *c)
{
	struct token token;

	while (next_token(c, &token))
		if (!compile_token(c, &token))
			return false;
	if (c->depth == 0)
		return FAIL(c, "is empty");
	if (c->depth > 1)
		return FAIL(c, "leaves %u values instead of one", c->depth);
	return true;
}

struct hadal_oa_program oa_equation_compile(struct oa_file *file, const struct hadal_oa_set *set,
					    const char *text, char *why, size_t why_size)
{
	struct hadal_oa_program program = { file->pub.word_count, 0 };
	struct compiler c;
	uint32_t *words;

	c.file = file;
	c.set = set;
	c.rest = text;
	c.count = 0;
	c.depth = 0;
	c.why = why;
	c.why_size = why_size;
	why[0] = '\0';
	if (!compile(&c))
		return program;
	words = oa_file_grow(file, file->pub.words, &file->word_room, file->pub.word_count, c.count,
			     sizeof(*words));
	if (!words)
		return program;
	file->pub.words = words;
	memcpy(words + file->pub.word_count, c.words, c.count * sizeof(*words));
	file->pub.word_count += c.count;
	program.count = c.count;
	return program;
}

bool oa_equation_divides_by_zero(const struct oa_file *file, struct hadal_oa_program program)
{
	const uint32_t *word = file->pub.words + program.first;
	const uint32_t *end = word + program.count;
	bool zero = false;

	while (word < end) {
		enum oa_operation op = *word & 0xff;

		if (zero && (op == OA_UDIV || op == OA_FDIV))
			return true;
		zero = *word == OA_PUSH;
		word += op == OA_PUSH_WIDE ? 3 : 1;
	}
	return false;
}
