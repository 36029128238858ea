// SPDX-License-Identifier: MIT
/*
 * The guardian: a child that takes the tracer and gives it back when its parent is gone, however
 * that went. It notices by the end of a pipe, which the kernel closes for a process that is killed.
 * It has a session of its own, so that what ends the parent's group does not end it.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/hwlat_tracer.h"

/* In the guardian. */
enum { LIFE_FD = 3, ANSWER_FD = 4, FIRST_OTHER_FD = 5 };

struct answer {
	int err;
	struct finding why;
};

/* The parent's files would otherwise live as long as the guardian: a reader of its output waits. */
static void keep_only(int life, int answer)
{
	const int null = open("/dev/null", O_RDWR);
	const int life_up = fcntl(life, F_DUPFD, FIRST_OTHER_FD);
	const int answer_up = fcntl(answer, F_DUPFD, FIRST_OTHER_FD);

	for (int fd = 0; fd < LIFE_FD; fd++)
		dup2(null, fd);
	dup2(life_up, LIFE_FD);
	dup2(answer_up, ANSWER_FD);
	close_range(FIRST_OTHER_FD, ~0U, 0);
}

static void ignore_signals(void)
{
	for (int number = 1; number < SIGRTMIN; number++)
		if (number != SIGCHLD && number != SIGSEGV && number != SIGBUS)
			signal(number, SIG_IGN);
}

static void wait_for_parents_end(void)
{
	char byte;

	while (read(LIFE_FD, &byte, 1) < 0 && errno == EINTR)
		;
}

static void answer_parent(const struct answer *answer)
{
	/* A parent that is gone already shows at the other pipe. */
	if (write(ANSWER_FD, answer, sizeof(*answer)) < 0)
		errno = 0;
	close(ANSWER_FD);
}

/* Privilege comes first: without it the state file cannot be opened either, which says less. */
static int take(const struct hwlat_config *config, int *state_fd, struct finding *why)
{
	int err = tracer_check_reachable(why);

	if (err)
		return err;
	*state_fd = tracer_state_open(O_CREAT | O_RDWR, why);
	return *state_fd < 0 ? *state_fd : tracer_take(*state_fd, config, why);
}

static int guard(const struct hwlat_config *config)
{
	struct answer answer = { 0 };
	struct finding why;
	int state_fd = -1;

	answer.err = take(config, &state_fd, &answer.why);
	answer_parent(&answer);
	if (answer.err)
		return 0;
	wait_for_parents_end();
	return -tracer_give_back(state_fd, &why);
}

static int receive(int fd, struct answer *answer)
{
	ssize_t got;

	do
		got = read(fd, answer, sizeof(*answer));
	while (got < 0 && errno == EINTR);
	return got == sizeof(*answer) ? 0 : -EPIPE;
}

static pid_t spawn(const int life[2], const int answer[2], const struct hwlat_config *config)
{
	const pid_t pid = fork();

	if (pid != 0)
		return pid;
	keep_only(life[0], answer[1]);
	ignore_signals();
	setsid();
	_exit(guard(config));
}

int guardian_start(struct guardian *guardian, const struct hwlat_config *config,
		   struct finding *why)
{
	struct answer told = { 0 };
	int life[2], answer[2], err;

	if (pipe2(life, O_CLOEXEC))
		return -errno;
	if (pipe2(answer, O_CLOEXEC)) {
		err = -errno;
		close(life[0]);
		close(life[1]);
		return err;
	}
	guardian->life = life[1];
	guardian->pid = spawn(life, answer, config);
	err = guardian->pid < 0 ? -errno : 0;
	close(life[0]);
	close(answer[1]);
	if (!err) {
		err = receive(answer[0], &told);
		if (!err)
			err = told.err;
		*why = told.why;
	}
	close(answer[0]);
	if (err)
		guardian_end(guardian);
	return err;
}

/* Does the work of a guardian that was killed while its parent lived. */
static int stand_in(void)
{
	struct finding why;
	int err = hwlat_restore(&why);

	return err == -ENOENT ? 0 : err;
}

int guardian_end(struct guardian *guardian)
{
	int status = 0;

	close(guardian->life);
	if (guardian->pid < 0)
		return 0;
	while (waitpid(guardian->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status))
		return stand_in();
	return -WEXITSTATUS(status);
}
