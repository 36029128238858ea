// SPDX-License-Identifier: MIT
/* The rules of ADD_CONFIG. */
#include "core/oa_config.h"
#include "core/uuid.h"

/* Mask and value bit of one workaround each, which the driver keeps for itself. */
#define HALF_SLICE_CHICKEN2 0xe180u
#define HALF_SLICE_CHICKEN2_KEPT 0x20002000u
#define WAIT_FOR_RC6_EXIT 0x20ccu
#define WAIT_FOR_RC6_EXIT_KEPT 0x00010001u

static enum oa_reason refuse(struct oa_refusal *refusal, enum oa_reason reason, enum oa_class cls,
			     uint32_t index)
{
	refusal->reason = reason;
	refusal->cls = cls;
	refusal->index = index;
	refusal->address = 0;
	refusal->nearest = NULL;
	refusal->allowed_class = cls;
	return reason;
}

bool oa_config_check_presence(const bool present[OA_CLASSES], const uint32_t counts[OA_CLASSES])
{
	uint32_t i;

	for (i = 0; i < OA_CLASSES; i++)
		if (present[i] && counts[i])
			return true;
	return false;
}

enum oa_reason oa_config_check_uuid(const char *uuid, size_t length, struct oa_refusal *refusal)
{
	size_t fits = uuid_check(uuid, length);

	if (fits == UUID_TEXT_LENGTH)
		return OA_ACCEPTED;
	return refuse(refusal, OA_REASON_UUID, OA_CLASS_MUX, (uint32_t)fits);
}

enum oa_reason oa_config_check_class(const struct oa_rules *rules, enum oa_class cls,
				     uint32_t count, struct oa_refusal *refusal)
{
	if (count && !rules->allowed[cls].count)
		return refuse(refusal, OA_REASON_NO_CLASS, cls, 0);
	if (count > OA_CONFIG_MAX_REGISTERS)
		return refuse(refusal, OA_REASON_TOO_MANY, cls, OA_CONFIG_MAX_REGISTERS);
	return OA_ACCEPTED;
}

/* The class other than @cls whose table has @address, or OA_CLASSES. */
static enum oa_class find_other_class(const struct oa_rules *rules, enum oa_class cls,
				      uint32_t address)
{
	uint32_t i;

	for (i = 0; i < OA_CLASSES; i++)
		if (i != cls && oa_table_has(&rules->allowed[i], address))
			break;
	return (enum oa_class)i;
}

static uint32_t distance(const struct oa_range *range, uint32_t address)
{
	if (address < range->first)
		return range->first - address;
	return address > range->last ? address - range->last : 0;
}

static const struct oa_range *nearest_of_all(const struct oa_rules *rules, uint32_t address)
{
	const struct oa_range *best = NULL;
	uint32_t i;

	for (i = 0; i < OA_CLASSES; i++) {
		const struct oa_range *range = oa_table_nearest(&rules->allowed[i], address);

		if (range && (!best || distance(range, address) < distance(best, address)))
			best = range;
	}
	return best;
}

enum oa_reason oa_config_check_address(const struct oa_rules *rules, enum oa_class cls,
				       uint32_t index, uint32_t address, struct oa_refusal *refusal)
{
	enum oa_class other;

	if (oa_table_has(&rules->allowed[cls], address))
		return OA_ACCEPTED;
	other = find_other_class(rules, cls, address);
	if (rules->one_array && other != OA_CLASSES)
		return OA_ACCEPTED;
	refuse(refusal, other == OA_CLASSES ? OA_REASON_ADDRESS : OA_REASON_OTHER_CLASS, cls,
	       index);
	refusal->address = address;
	refusal->nearest = rules->one_array ? nearest_of_all(rules, address) :
					      oa_table_nearest(&rules->allowed[cls], address);
	if (other != OA_CLASSES)
		refusal->allowed_class = other;
	return refusal->reason;
}

uint32_t oa_config_mask(uint32_t address, uint32_t value)
{
	if (address == HALF_SLICE_CHICKEN2)
		return value & ~HALF_SLICE_CHICKEN2_KEPT;
	if (address == WAIT_FOR_RC6_EXIT)
		return value & ~WAIT_FOR_RC6_EXIT_KEPT;
	return value;
}

static enum oa_reason check_registers(const struct oa_rules *rules, const struct oa_config *config,
				      enum oa_class cls, struct oa_refusal *refusal)
{
	const struct oa_register *regs = config->registers[cls];
	enum oa_reason reason;
	uint32_t i;

	reason = oa_config_check_class(rules, cls, config->counts[cls], refusal);
	if (reason == OA_ACCEPTED && config->counts[cls] && !regs)
		return refuse(refusal, OA_REASON_NO_ARRAY, cls, 0);
	for (i = 0; reason == OA_ACCEPTED && i < config->counts[cls]; i++)
		reason = oa_config_check_address(rules, cls, i, regs[i].address, refusal);
	return reason;
}

enum oa_reason oa_config_check(const struct oa_rules *rules, const struct oa_config *config,
			       struct oa_refusal *refusal)
{
	bool present[OA_CLASSES];
	enum oa_reason reason;
	uint32_t i;

	for (i = 0; i < OA_CLASSES; i++)
		present[i] = config->registers[i] != NULL;
	if (!oa_config_check_presence(present, config->counts))
		return refuse(refusal, OA_REASON_EMPTY, OA_CLASS_MUX, 0);
	reason = oa_config_check_uuid(config->uuid, config->uuid_length, refusal);
	for (i = 0; reason == OA_ACCEPTED && i < OA_CLASSES; i++)
		reason = check_registers(rules, config, (enum oa_class)i, refusal);
	return reason;
}
