// SPDX-License-Identifier: MIT
/* Metric files from the command line: reading, judging, and messages about what is wrong in them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/oa.h"

int oa_no_memory(void)
{
	cli_error(NULL, "Check fewer files at a time.", "not enough memory");
	return STATUS_IMPOSSIBLE;
}

static void report_unreadable(const char *name, int error)
{
	if (error == EFBIG)
		cli_error(name, "Metric files are far smaller; is this one?", "larger than %u MiB",
			  HADAL_OA_MAX_FILE_BYTES >> 20);
	else
		cli_error(name, "Name a readable metric XML file.", "cannot be read: %s",
			  strerror(error));
}

static int read_files(struct oa_input *input, char **names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct hadal_oa_file **file = &input->files[input->count];
		int ret;

		if (strcmp(names[i], "-") == 0)
			ret = hadal_oa_read_fd(STDIN_FILENO, "standard input", file);
		else
			ret = hadal_oa_read(names[i], file);
		if (ret == -ENOMEM)
			return ret;
		if (ret < 0) {
			report_unreadable(names[i], -ret);
			input->bad = true;
			continue;
		}
		input->count++;
	}
	return 0;
}

static int judge_file(struct hadal_oa_file *file, const struct hadal_oa_question *question,
		      struct oa_checked *checked)
{
	checked->file = file;
	checked->results = calloc(file->set_count + 1, sizeof(*checked->results));
	if (!checked->results)
		return -ENOMEM;
	for (uint32_t i = 0; i < file->set_count; i++) {
		int ret = hadal_oa_check(file, &file->sets[i], question, &checked->results[i]);

		if (ret < 0)
			return ret;
	}
	return 0;
}

static void report_problem(const struct hadal_oa_file *file, const struct hadal_oa_problem *problem)
{
	const char *of = problem->set ? "set " : "";
	const char *set = problem->set ? problem->set : "";
	const char *colon = problem->set ? ": " : "";
	char thing[4200];

	snprintf(thing, sizeof(thing), "%s:%u", file->path, problem->line);
	if (problem->warning)
		cli_warn("%s: %s%s%s%s", thing, of, set, colon, problem->text);
	else
		cli_error(thing, problem->hint, "%s%s%s%s", of, set, colon, problem->text);
}

static void report_problems(struct oa_input *input)
{
	for (size_t i = 0; i < input->count; i++) {
		const struct hadal_oa_file *file = input->files[i];

		for (uint32_t p = 0; p < file->problem_count; p++)
			report_problem(file, &file->problems[p]);
		if (file->problem_total > file->problem_count)
			cli_warn("%s: %u more problem%s not shown", file->path,
				 file->problem_total - file->problem_count,
				 report_plural(file->problem_total - file->problem_count));
		input->bad |= file->error_total != 0;
	}
}

int oa_input_open(struct oa_input *input, char **names, size_t count)
{
	*input = (struct oa_input){ .count = 0 };
	input->files = calloc(count + 1, sizeof(*input->files));
	input->checked = calloc(count + 1, sizeof(*input->checked));
	if (!input->files || !input->checked || read_files(input, names, count) < 0)
		return oa_no_memory();
	return STATUS_DONE;
}

static int judge_all(struct oa_input *input, const struct hadal_oa_question *question)
{
	int ret = hadal_oa_find_duplicates(input->files, input->count);

	if (ret == 0)
		ret = hadal_oa_check_hashes(input->files, input->count);
	for (size_t i = 0; ret == 0 && i < input->count; i++)
		ret = judge_file(input->files[i], question, &input->checked[i]);
	return ret;
}

int oa_input_judge(struct oa_input *input, const struct hadal_oa_question *question)
{
	if (judge_all(input, question) < 0)
		return oa_no_memory();
	report_problems(input);
	return STATUS_DONE;
}

int oa_input_read(struct oa_input *input, char **names, size_t count,
		  const struct hadal_oa_question *question)
{
	int status = oa_input_open(input, names, count);

	return status == STATUS_DONE ? oa_input_judge(input, question) : status;
}

size_t oa_input_sets(const struct oa_input *input)
{
	size_t count = 0;

	for (size_t i = 0; i < input->count; i++)
		count += input->files[i]->set_count;
	return count;
}

void oa_input_free(struct oa_input *input)
{
	for (size_t i = 0; i < input->count; i++) {
		struct hadal_oa_result *results = input->checked[i].results;

		for (uint32_t s = 0; results && s < input->files[i]->set_count; s++)
			hadal_oa_result_free(&results[s]);
		free(results);
		hadal_oa_free(input->files[i]);
	}
	free(input->files);
	free(input->checked);
}
