// SPDX-License-Identifier: MIT
/*
 * The elements of metric files and guids.xml: metrics > set > counter (> condition, in the oldest
 * files), set > register_config > register; guids > guid. Everything is in attributes, in any
 * order.
 */
#include <string.h>

#include "lib/oa_reader.h"

/* A text attribute and where it goes in the struct of its element. */
struct attribute {
	const char *name;
	size_t offset;
};

/* clang-format off */
#define FIELD(type, field) { #field, offsetof(struct type, field) }
#define SET(field) FIELD(hadal_oa_set, field)
#define COUNTER(field) FIELD(hadal_oa_counter, field)
#define BLOCK(field) FIELD(hadal_oa_block, field)
#define GUID(field) FIELD(hadal_oa_guid, field)
#define END { NULL, 0 }

static const struct attribute metrics_attributes[] = {
	FIELD(hadal_oa_file, version), FIELD(hadal_oa_file, merge_md5), END
};

static const struct attribute set_attributes[] = {
	SET(name), SET(chipset), SET(symbol_name), SET(underscore_name), SET(mdapi_supported_apis),
	SET(hw_config_guid), SET(oa_format), END
};

static const struct attribute counter_attributes[] = {
	COUNTER(name), COUNTER(symbol_name), COUNTER(underscore_name), COUNTER(description),
	COUNTER(data_type), COUNTER(units), COUNTER(semantic_type), COUNTER(equation),
	COUNTER(mdapi_group), COUNTER(mdapi_usage_flags), COUNTER(mdapi_supported_apis),
	COUNTER(mdapi_hw_unit_type), COUNTER(max_equation), COUNTER(availability),
	COUNTER(low_watermark), COUNTER(high_watermark), END
};

static const struct attribute condition_attributes[] = {
	{ "equation", offsetof(struct hadal_oa_counter, availability) }, END
};

static const struct attribute block_attributes[] = {
	BLOCK(type), BLOCK(availability), { "priority", offsetof(struct hadal_oa_block, priority_text) },
	BLOCK(id), END
};

static const struct attribute guid_attributes[] = {
	GUID(id), GUID(config_hash), GUID(mdapi_config_hash), GUID(chipset), GUID(name), END
};
/* clang-format on */

/* The largest public set has 70 counters; a limit keeps the search for their names short. */
#define MAX_COUNTERS 1024u

static const char *const class_names[OA_CLASSES] = { "NOA", "OA", "FLEX" };

/* --- attributes -------------------------------------------------------------------------- */

static const struct attribute *find_attribute(const struct attribute *table, const char *name)
{
	for (; table->name; table++)
		if (strcmp(table->name, name) == 0)
			return table;
	return NULL;
}

/* Copies every attribute that @table knows into @into, and warns of the others. */
static void take_attributes(struct oa_reader *r, const char *element, const struct attribute *table,
			    const char **atts, void *into)
{
	for (; atts[0]; atts += 2) {
		const struct attribute *attribute = find_attribute(table, atts[0]);
		char *text;

		if (!attribute) {
			oa_warn(r, "unknown attribute '%.40s' of <%s> ignored", atts[0], element);
			continue;
		}
		text = oa_file_text(r->file, atts[1], strlen(atts[1]));
		memcpy((char *)into + attribute->offset, &text, sizeof(text));
	}
}

/* Compiles an equation if there is one; @set: whose counters it may name, or NULL. */
static struct hadal_oa_program compile(struct oa_reader *r, const struct hadal_oa_set *set,
				       const char *what, const char *of, const char *text)
{
	struct hadal_oa_program program = { 0, 0 };
	char why[160];

	if (!text)
		return program;
	program = oa_equation_compile(r->file, set, text, why, sizeof(why));
	if (!program.count && !r->file->no_memory)
		oa_error(r, "%s of %s %s", what, of, why);
	if (oa_equation_divides_by_zero(r->file, program))
		oa_warn(r, "%s of %s divides by the number 0; the result is taken as 0", what, of);
	return program;
}

/* --- elements ---------------------------------------------------------------------------- */

void oa_element_metrics(struct oa_reader *r, const char **atts)
{
	take_attributes(r, "metrics", metrics_attributes, atts, &r->file->pub);
	r->level = OA_LEVEL_METRICS;
}

static void start_set(struct oa_reader *r, const char **atts)
{
	struct hadal_oa_file *pub = &r->file->pub;
	struct hadal_oa_set *sets = oa_file_grow(r->file, pub->sets, &r->file->set_room,
						 pub->set_count, 1, sizeof(*sets));

	if (!sets)
		return;
	pub->sets = sets;
	r->set = &sets[pub->set_count++];
	memset(r->set, 0, sizeof(*r->set));
	r->set->line = oa_file_line(r->file, oa_reader_offset(r));
	r->set->first_block = pub->block_count;
	r->set->first_counter = pub->counter_count;
	take_attributes(r, "set", set_attributes, atts, r->set);
	if (!r->set->symbol_name)
		oa_warn(r, "the set has no symbol_name");
	if (r->set->chipset)
		r->set->generation = oa_generation_find(r->set->chipset);
	if (!r->set->generation)
		oa_warn(r, "chipset '%.40s' is not known", r->set->chipset ? r->set->chipset : "");
	r->level = OA_LEVEL_SET;
}

static void set_type(struct oa_reader *r, struct hadal_oa_counter *counter, const char *label)
{
	if (counter->data_type && strcmp(counter->data_type, "float") == 0)
		counter->type = HADAL_OA_FLOAT;
	else if (!counter->data_type || strcmp(counter->data_type, "uint64") != 0)
		oa_error(r, "counter %s has data_type '%.40s', which is neither uint64 nor float",
			 label, counter->data_type ? counter->data_type : "");
}

static void start_counter(struct oa_reader *r, const char **atts)
{
	struct hadal_oa_file *pub = &r->file->pub;
	struct hadal_oa_counter *counters, *counter;
	const char *label;

	if (r->set->counter_count == MAX_COUNTERS) {
		oa_error(r, "more than %u counters: this one is left out", MAX_COUNTERS);
		r->skipping = 1;
		return;
	}
	counters = oa_file_grow(r->file, pub->counters, &r->file->counter_room, pub->counter_count,
				1, sizeof(*counters));
	if (!counters)
		return;
	pub->counters = counters;
	counter = &counters[pub->counter_count];
	memset(counter, 0, sizeof(*counter));
	take_attributes(r, "counter", counter_attributes, atts, counter);
	label = counter->symbol_name ? counter->symbol_name : "(no symbol_name)";
	set_type(r, counter, label);
	if (!counter->equation)
		oa_error(r, "counter %s has no equation", label);
	counter->value = compile(r, r->set, "equation", label, counter->equation);
	counter->maximum = compile(r, r->set, "max_equation", label, counter->max_equation);
	counter->available = compile(r, r->set, "availability", label, counter->availability);
	pub->counter_count++;
	r->set->counter_count++;
	r->level = OA_LEVEL_COUNTER;
}

/* The oldest files have the availability of a counter in an element of its own. */
static void start_condition(struct oa_reader *r, const char **atts)
{
	struct hadal_oa_file *pub = &r->file->pub;
	struct hadal_oa_counter *counter = &pub->counters[pub->counter_count - 1];

	take_attributes(r, "condition", condition_attributes, atts, counter);
	counter->available =
		compile(r, r->set, "condition", counter->symbol_name ? counter->symbol_name : "",
			counter->availability);
	r->leaf_parent = r->level;
	r->level = OA_LEVEL_LEAF;
}

static enum oa_class find_class(const char *type)
{
	int i;

	for (i = 0; i < OA_CLASSES; i++)
		if (strcmp(class_names[i], type) == 0)
			break;
	return (enum oa_class)i;
}

static uint32_t parse_priority(struct oa_reader *r, const char *text)
{
	uint32_t value = 0;
	size_t i;

	if (!text)
		return 0;
	for (i = 0; i < 9 && text[i] >= '0' && text[i] <= '9'; i++)
		value = value * 10 + (uint32_t)(text[i] - '0');
	if (i == 0 || text[i])
		oa_damage(r, "priority '%.40s' is not a number below 1000000000", text);
	return value;
}

static void start_block(struct oa_reader *r, const char **atts)
{
	struct hadal_oa_file *pub = &r->file->pub;
	struct hadal_oa_block block = { .first_register = pub->register_count };
	struct hadal_oa_block *blocks;

	take_attributes(r, "register_config", block_attributes, atts, &block);
	block.cls = find_class(block.type ? block.type : "");
	if (block.cls == OA_CLASSES) {
		oa_damage(r, "register_config has type '%.40s', which is not NOA, OA or FLEX",
			  block.type ? block.type : "");
		r->skipping = 1;
		return;
	}
	block.priority = parse_priority(r, block.priority_text);
	block.available = compile(r, NULL, "availability", "a register_config", block.availability);
	if (block.availability && !block.available.count)
		r->set->damaged = true;
	blocks = oa_file_grow(r->file, pub->blocks, &r->file->block_room, pub->block_count, 1,
			      sizeof(*blocks));
	if (!blocks)
		return;
	pub->blocks = blocks;
	r->block = &blocks[pub->block_count++];
	*r->block = block;
	r->set->block_count++;
	r->level = OA_LEVEL_BLOCK;
}

static uint32_t hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return (uint32_t)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (uint32_t)(c - 'a' + 10);
	return c >= 'A' && c <= 'F' ? (uint32_t)(c - 'A' + 10) : 16;
}

/* Only 0x and hexadecimal digits: without 0x, readers disagree on what "9888" means. */
static bool parse_word(struct oa_reader *r, const char *what, const char *text, uint32_t *value)
{
	*value = 0;
	if (!text) {
		oa_damage(r, "register without %s", what);
		return false;
	}
	if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X') || !text[2]) {
		oa_damage(r, "register %s '%.40s' does not begin with 0x", what, text);
		return false;
	}
	for (const char *at = text + 2; *at; at++) {
		uint32_t d = hex_digit(*at);

		if (d == 16) {
			oa_damage(r, "register %s '%.40s' is not a hexadecimal number", what, text);
			return false;
		}
		if (*value >> 28) {
			oa_damage(r, "register %s '%.40s' is above 32 bits", what, text);
			return false;
		}
		*value = *value << 4 | d;
	}
	return true;
}

static bool is_of_block(struct oa_reader *r, const char *type)
{
	if (!type || strcmp(type, r->block->type) == 0)
		return true;
	if (find_class(type) == OA_CLASSES)
		oa_damage(r, "register has type '%.40s', which is not NOA, OA or FLEX", type);
	else
		oa_damage(r, "register of type %s in a register_config of type %s", type,
			  r->block->type);
	return false;
}

static void add_register(struct oa_reader *r, const struct hadal_oa_register *reg)
{
	struct hadal_oa_file *pub = &r->file->pub;
	struct hadal_oa_register *registers =
		oa_file_grow(r->file, pub->registers, &r->file->register_room, pub->register_count,
			     1, sizeof(*registers));

	if (!registers)
		return;
	pub->registers = registers;
	registers[pub->register_count++] = *reg;
	r->block->register_count++;
}

/* A register that cannot be read damages its set and is left out. */
static void start_register(struct oa_reader *r, const char **atts)
{
	struct hadal_oa_register reg = { .offset = (uint32_t)oa_reader_offset(r) };
	const char *address = NULL, *value = NULL, *type = NULL;

	for (; atts[0]; atts += 2) {
		if (strcmp(atts[0], "type") == 0)
			type = atts[1];
		else if (strcmp(atts[0], "address") == 0)
			address = atts[1];
		else if (strcmp(atts[0], "value") == 0)
			value = atts[1];
		else
			oa_warn(r, "unknown attribute '%.40s' of <register> ignored", atts[0]);
	}
	if (is_of_block(r, type) && parse_word(r, "address", address, &reg.address) &&
	    parse_word(r, "value", value, &reg.value))
		add_register(r, &reg);
	r->leaf_parent = OA_LEVEL_BLOCK;
	r->level = OA_LEVEL_LEAF;
}

static void start_guid(struct oa_reader *r, const char **atts)
{
	struct hadal_oa_file *pub = &r->file->pub;
	struct hadal_oa_guid *guids = oa_file_grow(r->file, pub->guids, &r->file->guid_room,
						   pub->guid_count, 1, sizeof(*guids));

	if (!guids)
		return;
	pub->guids = guids;
	memset(&guids[pub->guid_count], 0, sizeof(*guids));
	take_attributes(r, "guid", guid_attributes, atts, &guids[pub->guid_count]);
	if (guids[pub->guid_count].id)
		pub->guid_count++;
	else
		oa_error(r, "guid without id");
	r->leaf_parent = OA_LEVEL_GUIDS;
	r->level = OA_LEVEL_LEAF;
}

/* What may stand where. */
const struct oa_element oa_elements[] = {
	{ OA_LEVEL_BLOCK, "register", start_register },
	{ OA_LEVEL_SET, "counter", start_counter },
	{ OA_LEVEL_SET, "register_config", start_block },
	{ OA_LEVEL_METRICS, "set", start_set },
	{ OA_LEVEL_COUNTER, "condition", start_condition },
	{ OA_LEVEL_GUIDS, "guid", start_guid },
	{ OA_LEVEL_TOP, NULL, NULL },
};
