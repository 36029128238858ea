// SPDX-License-Identifier: MIT
/* A machine for the tests, and the port's out-of-line half. */
#include <string.h>

#include "core/cbmem.h"
#include "core/port.h"
#include "core/timestamp.h"
#include "tests/port/machine.h"

struct port_world port_world;

static _Alignas(4096) uint8_t cbmem_memory[MACHINE_CBMEM_BYTES];
static struct timestamp_stage stages[2];
static struct timestamp_stash region;
static struct cbmem cbmem;
static unsigned int stage_index;
static bool cbmem_made;
static uint8_t garbage_seed;

static void fill_garbage(void *memory, size_t bytes)
{
	uint8_t *p = memory;

	for (size_t i = 0; i < bytes; i++)
		p[i] = (uint8_t)(garbage_seed + i * 37);
}

void machine_power_on(uint8_t seed)
{
	garbage_seed = seed;
	fill_garbage(cbmem_memory, sizeof(cbmem_memory));
	fill_garbage(&region, sizeof(region));
	fill_garbage(stages, sizeof(stages));
	cbmem = (struct cbmem){ 0 };
	cbmem_made = false;
	port_world = (struct port_world){
		.clock_khz = 2000000,
		.boot_cpu = true,
		.cbmem = &cbmem,
	};
}

void machine_add_region(void)
{
	port_world.region = &region;
}

void machine_resume(void)
{
	port_world.resumed = true;
	port_world.clock = 0;
	cbmem = (struct cbmem){ 0 };
	fill_garbage(stages, sizeof(stages));
}

void machine_next_stage(void)
{
	if (port_world.stage)
		fill_garbage(port_world.stage, sizeof(*port_world.stage));
	if (cbmem.limit)
		port_world.resumed = false;
	cbmem = (struct cbmem){ 0 };
	stage_index ^= 1;
	port_world.stage = &stages[stage_index];
	memset(port_world.stage, 0, sizeof(*port_world.stage));
}

int machine_cbmem_up(void)
{
	if (cbmem_made)
		return cbmem_recover(&cbmem, cbmem_memory, sizeof(cbmem_memory));
	cbmem_made = true;
	return cbmem_create(&cbmem, cbmem_memory, sizeof(cbmem_memory));
}

uint8_t *machine_cbmem_memory(void)
{
	return cbmem_memory;
}

void *machine_region(void)
{
	return port_world.region;
}

void *port_cbmem_entry(uint32_t id, size_t *bytes)
{
	void *entry = cbmem_find(&cbmem, id, bytes);

	return entry ? entry : cbmem_add(&cbmem, id, *bytes);
}

void port_cbmem_ready(void)
{
	timestamp_sync();
}
