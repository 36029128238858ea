/* SPDX-License-Identifier: MIT */
/* The pictures of a hwlat run's page: inline SVG that is stretched to any width, with labels beside it. */
#ifndef HADAL_REPORT_HWLAT_HTML_CHARTS_H
#define HADAL_REPORT_HWLAT_HTML_CHARTS_H

#include "report/hwlat_result.h"
#include "report/report.h"

/* CPUs that have a plot of their own; those with the most gaps. */
#define HWLAT_PLOTS_MAX 32

/* Each CPU's gaps over time, coloured by cause, on the time that was watched. */
void hwlat_html_plots(const struct hwlat_result *result, const struct report_out *out);

/* How many gaps there are of each length. */
void hwlat_html_histogram(const struct hwlat_result *result, const struct report_out *out);

#endif
