// SPDX-License-Identifier: MIT
/* What watching from user space needs of this machine and this user: CPUs, a priority. */
#include <errno.h>
#include <sched.h>

#include "lib/file.h"
#include "lib/hwlat_user.h"

#define RT_RUNTIME "/proc/sys/kernel/sched_rt_runtime_us"
#define RT_PERIOD "/proc/sys/kernel/sched_rt_period_us"

/* Without the kernel's limit nothing else runs for the whole width: housekeeping, and so others, wait. */
#define UNLIMITED_WIDTH_US 1000000

int user_pin_to(const struct cpus *cpus)
{
	const size_t size = CPU_ALLOC_SIZE(CPUS_MAX);
	cpu_set_t *set = CPU_ALLOC(CPUS_MAX);
	int err = 0;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	for (int cpu = cpus_next(cpus, -1); cpu >= 0; cpu = cpus_next(cpus, cpu))
		CPU_SET_S((size_t)cpu, size, set);
	if (sched_setaffinity(0, size, set))
		err = -errno;
	CPU_FREE(set);
	return err;
}

int user_pin(unsigned int cpu)
{
	struct cpus only = { 0 };

	cpus_add(&only, cpu);
	return user_pin_to(&only);
}

/* Unlimited shows as -1, which is no unsigned number. */
void user_read_throttle(struct user_throttle *throttle)
{
	uint64_t runtime_us, period_us;

	*throttle = (struct user_throttle){ 0 };
	if (file_read_u64(RT_RUNTIME, &runtime_us) || file_read_u64(RT_PERIOD, &period_us) ||
	    runtime_us >= period_us)
		return;
	throttle->runtime_ns = runtime_us * 1000;
	throttle->period_ns = period_us * 1000;
}

bool user_become_realtime(const struct user_throttle *throttle, uint64_t width_us)
{
	const struct sched_param param = { .sched_priority = 1 };

	if (!throttle->period_ns && width_us > UNLIMITED_WIDTH_US)
		return false;
	return sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &param) == 0;
}

static bool may_be_realtime(void)
{
	const struct sched_param fifo = { .sched_priority = 1 }, other = { 0 };
	const int policy = sched_getscheduler(0);

	if (policy != SCHED_OTHER || sched_setscheduler(0, SCHED_FIFO, &fifo))
		return false;
	sched_setscheduler(0, policy, &other);
	return true;
}

void user_check(struct finding *finding)
{
	struct finding clock;
	const bool os_clock = hwlat_clock_check(&clock) != 0;
	const bool realtime = may_be_realtime();

	finding_set(
		finding, FINDING_READY,
		realtime ?
			NULL :
			"For fewer gaps by other programs: sudo hadal hwlat --backend=user, or a "
			"real-time limit for this user (rtprio in limits.conf).",
		"needs no privilege%s%s", realtime ? "; has a real-time priority" : "",
		os_clock ? "; reads the kernel's clock, not the CPU's" : "");
}
