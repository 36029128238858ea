/* SPDX-License-Identifier: MIT */
/*
 * May this OA configuration be added? The rules of Linux's ADD_CONFIG, in its order, for the
 * kernel module and for user space alike.
 *
 * A caller that has the whole configuration in memory uses oa_config_check(). One that fetches
 * registers from another address space asks step by step, in this order, and stops at the first
 * refusal:
 *	oa_config_check_presence()	before anything else of the configuration is looked at
 *	oa_config_check_uuid()
 *	for each class in order:
 *		oa_config_check_class()		nothing more to do for a count of 0
 *		per register: fetch the address, oa_config_check_address(), fetch the value,
 *		oa_config_mask(), store
 * so that of a refused address and an unreadable value the refusal wins, as in i915.
 *
 * Judging is by address only: no check of alignment, value, order or repetition exists, and the
 * order of the registers must be kept.
 */
#ifndef HADAL_CORE_OA_CONFIG_H
#define HADAL_CORE_OA_CONFIG_H

#include "core/oa_allowlist.h"

/* Most registers in one array: 4 MiB of pairs, the largest allocation the driver can make. */
#define OA_CONFIG_MAX_REGISTERS 524288u

/* Why a configuration is refused. All are EINVAL in the driver, except where noted. */
enum oa_reason {
	OA_ACCEPTED = 0,
	OA_REASON_EMPTY,       /* no class has registers */
	OA_REASON_UUID,	       /* not 36 characters of the form 8-4-4-4-12 */
	OA_REASON_NO_ARRAY,    /* a count without an array, while another class has one: EFAULT */
	OA_REASON_TOO_MANY,    /* more than OA_CONFIG_MAX_REGISTERS in one array: ENOMEM */
	OA_REASON_NO_CLASS,    /* the GPU has no registers of this class (flex on Haswell) */
	OA_REASON_OTHER_CLASS, /* the address is allowed, but as a register of another class */
	OA_REASON_ADDRESS,     /* outside every allowed range */
};

struct oa_register {
	uint32_t address;
	uint32_t value;
};

/*
 * struct oa_config - a configuration in memory
 * @uuid: characters, no terminator needed
 * @uuid_length: how many are readable; 36 or more for a good one
 * @registers: one array per class, NULL where there is none
 * @counts: their lengths
 */
struct oa_config {
	const char *uuid;
	size_t uuid_length;
	const struct oa_register *registers[OA_CLASSES];
	uint32_t counts[OA_CLASSES];
};

/*
 * struct oa_refusal - which register, and why
 * @reason: never OA_ACCEPTED
 * @cls: the array it is about; no meaning for EMPTY and UUID
 * @index: place in that array; for UUID the first wrong character
 * @address: the refused address (ADDRESS, OTHER_CLASS)
 * @nearest: closest allowed range of the class, or of all classes if they share an array, NULL
 *	for other reasons than ADDRESS and OTHER_CLASS
 * @allowed_class: for OTHER_CLASS, where the register belongs
 */
struct oa_refusal {
	enum oa_reason reason;
	enum oa_class cls;
	uint32_t index;
	uint32_t address;
	const struct oa_range *nearest;
	enum oa_class allowed_class;
};

/*
 * True if some class has both an array and a count. @present tells which arrays exist (a pointer
 * that is not null).
 */
bool oa_config_check_presence(const bool present[OA_CLASSES], const uint32_t counts[OA_CLASSES]);

/* Judges @length characters. Returns OA_ACCEPTED, or the reason with @refusal filled in. */
enum oa_reason oa_config_check_uuid(const char *uuid, size_t length, struct oa_refusal *refusal);

/* Judges that @cls may have @count registers at all. Returns as above. */
enum oa_reason oa_config_check_class(const struct oa_rules *rules, enum oa_class cls,
				     uint32_t count, struct oa_refusal *refusal);

/* Judges the address of register @index of @cls. Returns as above. */
enum oa_reason oa_config_check_address(const struct oa_rules *rules, enum oa_class cls,
				       uint32_t index, uint32_t address,
				       struct oa_refusal *refusal);

/*
 * The value that is really written for @value: the driver silently clears the bits of a
 * workaround in 0xe180 (HALF_SLICE_CHICKEN2) and 0x20cc (WAIT_FOR_RC6_EXIT). i915 only; xe writes
 * what it is given.
 */
uint32_t oa_config_mask(uint32_t address, uint32_t value);

/*
 * Judges a whole configuration. Returns OA_ACCEPTED, or the reason of the first refusal in the
 * driver's order, described in @refusal.
 */
enum oa_reason oa_config_check(const struct oa_rules *rules, const struct oa_config *config,
			       struct oa_refusal *refusal);

#endif
