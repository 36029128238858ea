/* SPDX-License-Identifier: MIT */
/*
 * libhadal, doctor: what this machine can and cannot show.
 *
 * Each subsystem brings one function that hands out its lines. To add a source or a back end, add
 * a line there; to add a subsystem, add its function to the table in cli/doctor.c.
 */
#ifndef HADAL_DOCTOR_H
#define HADAL_DOCTOR_H

#include "hadal/finding.h"

/*
 * struct doctor_sink - who takes the lines
 * @name: the source, the back end, or what they need, in a word or two
 */
struct doctor_sink {
	void (*line)(void *context, const char *name, const struct finding *finding);
	void *context;
};

/*
 * The sources of boot. Opens them, gives up all capabilities of the process for good, and reads:
 * to be called after all that need one. Changes nothing else.
 */
void boot_doctor(const struct doctor_sink *sink);

/* The back ends of hwlat, and what they rest on. Changes nothing. */
void hwlat_doctor(const struct doctor_sink *sink);

/* The GPUs of oa, and who may use them. Changes nothing. */
void oa_doctor(const struct doctor_sink *sink);

#endif
