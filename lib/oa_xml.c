// SPDX-License-Identifier: MIT
/*
 * Reads metric files and guids.xml with expat: the frame around the elements. None of these files
 * has a document type declaration, so one ends the reading: no entity is ever expanded.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The library has them; its header shows the limits on entities only with this. */
#define XML_DTD
#include "lib/oa_reader.h"

size_t oa_reader_offset(const struct oa_reader *r)
{
	XML_Index index = XML_GetCurrentByteIndex(r->parser);

	return index > 0 ? (size_t)index : 0;
}

void oa_reader_note(struct oa_reader *r, bool warning, const char *fmt, ...)
{
	struct oa_place place = {
		.warning = warning,
		.line = oa_file_line(r->file, oa_reader_offset(r)),
		.set = r->set ? hadal_oa_set_name(r->set) : NULL,
	};
	char text[OA_PROBLEM_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	oa_file_problem(r->file, &place, text);
}

static void stop(struct oa_reader *r)
{
	r->stopped = true;
	XML_StopParser(r->parser, XML_FALSE);
}

static void report_html(struct oa_reader *r)
{
	struct oa_place place = {
		.line = oa_file_line(r->file, oa_reader_offset(r)),
		.hint = "Get the raw file, not the page that shows it.",
	};

	oa_file_problem(r->file, &place, "an HTML page, not a metric file");
}

static void start_root(struct oa_reader *r, const char *name, const char **atts)
{
	if (strcmp(name, "metrics") == 0) {
		oa_element_metrics(r, atts);
	} else if (strcmp(name, "guids") == 0) {
		r->level = OA_LEVEL_GUIDS;
	} else if (strcasecmp(name, "html") == 0) {
		report_html(r);
		stop(r);
	} else {
		oa_error(r, "the outermost element is <%.40s>, not <metrics>", name);
		stop(r);
	}
}

static void XMLCALL on_start(void *data, const char *name, const char **atts)
{
	struct oa_reader *r = data;

	if (r->skipping || r->stopped) {
		r->skipping++;
		return;
	}
	if (r->level == OA_LEVEL_TOP) {
		start_root(r, name, atts);
		return;
	}
	for (const struct oa_element *e = oa_elements; e->name; e++) {
		if (e->inside == r->level && strcmp(e->name, name) == 0) {
			e->start(r, atts);
			if (r->file->no_memory)
				stop(r);
			return;
		}
	}
	oa_warn(r, "unexpected element <%.40s> ignored", name);
	r->skipping = 1;
}

static void XMLCALL on_end(void *data, const char *name)
{
	struct oa_reader *r = data;

	(void)name;
	if (r->skipping) {
		r->skipping--;
		return;
	}
	switch (r->level) {
	case OA_LEVEL_LEAF:
		r->level = r->leaf_parent;
		break;
	case OA_LEVEL_BLOCK:
		r->block = NULL;
		r->level = OA_LEVEL_SET;
		break;
	case OA_LEVEL_COUNTER:
		r->level = OA_LEVEL_SET;
		break;
	case OA_LEVEL_SET:
		r->set = NULL;
		r->level = OA_LEVEL_METRICS;
		break;
	default:
		break;
	}
}

static void XMLCALL on_doctype(void *data, const char *name, const char *sysid, const char *pubid,
			       int internal)
{
	struct oa_reader *r = data;
	struct oa_place place = {
		.line = oa_file_line(r->file, oa_reader_offset(r)),
		.hint = "Metric files have none; remove it if you trust the file.",
	};

	(void)sysid;
	(void)pubid;
	(void)internal;
	if (strcasecmp(name, "html") == 0)
		report_html(r);
	else
		oa_file_problem(r->file, &place, "has a document type declaration");
	stop(r);
}

/* --- the parse --------------------------------------------------------------------------- */

/* HTML that is no XML at all, by how it begins. */
static bool looks_like_html(const struct oa_file *file)
{
	const char *at = file->bytes;

	if (strncmp(at, "\xef\xbb\xbf", 3) == 0)
		at += 3;
	at += strspn(at, " \t\r\n");
	return strncasecmp(at, "<!doctype html", 14) == 0 || strncasecmp(at, "<html", 5) == 0;
}

static void report_malformed(struct oa_reader *r)
{
	struct oa_place place = {
		.line = (uint32_t)XML_GetCurrentLineNumber(r->parser),
		.set = r->set ? hadal_oa_set_name(r->set) : NULL,
	};
	char text[OA_PROBLEM_TEXT];

	snprintf(text, sizeof(text), "not well-formed XML: %s",
		 XML_ErrorString(XML_GetErrorCode(r->parser)));
	oa_file_problem(r->file, &place, r->file->length ? text : "the file is empty");
}

static void report_xml_error(struct oa_reader *r)
{
	if (XML_GetErrorCode(r->parser) == XML_ERROR_NO_MEMORY)
		r->file->no_memory = true;
	else if (looks_like_html(r->file))
		report_html(r);
	else
		report_malformed(r);
	if (r->set)
		r->set->damaged = true;
}

static void limit_expansion(XML_Parser parser)
{
	/*
	 * A second lock behind on_doctype(). The predefined entities (&lt;) count too, but cannot
	 * double the text.
	 */
	XML_SetBillionLaughsAttackProtectionMaximumAmplification(parser, 2.0f);
	XML_SetBillionLaughsAttackProtectionActivationThreshold(parser, 1u << 20);
}

void oa_xml_read(struct oa_file *file)
{
	struct oa_reader r = { .file = file, .level = OA_LEVEL_TOP };

	r.parser = XML_ParserCreate(NULL);
	if (!r.parser) {
		file->no_memory = true;
		return;
	}
	limit_expansion(r.parser);
	XML_SetUserData(r.parser, &r);
	XML_SetElementHandler(r.parser, on_start, on_end);
	XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
	XML_SetParamEntityParsing(r.parser, XML_PARAM_ENTITY_PARSING_NEVER);
	if (XML_Parse(r.parser, file->bytes, (int)file->length, 1) != XML_STATUS_OK && !r.stopped)
		report_xml_error(&r);
	XML_ParserFree(r.parser);
	if (!file->pub.problem_total && !file->pub.set_count && !file->pub.guid_count)
		oa_file_problem(file, &(struct oa_place){ .line = 1 }, "holds no metric set");
}
