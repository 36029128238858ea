// SPDX-License-Identifier: MIT
/* The frame of HTML reports. */
#include <inttypes.h>
#include <string.h>

#include "report/html.h"

static const char style[] =
	":root{color-scheme:light dark;--bg:#fff;--fg:#1c2430;--dim:#5b6675;--line:#dde2e9;"
	"--bar:#2f6fb2;--other:#8a5a00;--bad:#b3261e;--hover:#eef3f9}\n"
	"@media (prefers-color-scheme:dark){:root{--bg:#12161c;--fg:#e4e8ee;--dim:#9aa5b4;"
	"--line:#2c3440;--bar:#6aa5e8;--other:#e0ab52;--bad:#ff8a80;--hover:#1c232d}}\n"
	"*{box-sizing:border-box}\n"
	"body{margin:0 auto;padding:1rem;max-width:80rem;background:var(--bg);color:var(--fg);"
	"font:15px/1.45 system-ui,sans-serif}\n"
	"h1{font-size:1.4rem;margin:.2rem 0}h2{font-size:1.1rem;margin:1.6rem 0 .4rem}\n"
	"p,li{overflow-wrap:anywhere}.dim{color:var(--dim)}\n"
	".tools{display:flex;flex-wrap:wrap;gap:.4rem;align-items:center}\n"
	".tools button{font:inherit;min-width:2.2rem;padding:.1rem .5rem;background:var(--bg);"
	"color:var(--fg);border:1px solid var(--dim);border-radius:4px;cursor:pointer}\n"
	".rows{border-top:1px solid var(--line);margin-top:.4rem;outline-offset:2px}\n"
	".row{display:grid;grid-template-columns:minmax(12rem,30%) 1fr 15rem;gap:.6rem;"
	"border-bottom:1px solid var(--line);padding:.15rem 0;align-items:center}\n"
	".row:hover,.row:focus{background:var(--hover)}\n"
	".name{padding-left:calc(var(--d)*1rem);overflow-wrap:anywhere}\n"
	".track{position:relative;height:1.1rem;overflow:hidden}\n"
	".bar{position:absolute;top:.15rem;height:.8rem;min-width:2px;background:var(--bar);"
	"border-radius:2px;left:calc((var(--s) - var(--from))/var(--span)*100%);"
	"width:calc(var(--l)/var(--span)*100%)}\n"
	".other .bar{background:repeating-linear-gradient(45deg,var(--other) 0 5px,"
	"transparent 5px 8px);border:1px solid var(--other)}\n"
	".doubtful .bar{background:none;border:2px dashed var(--bad)}\n"
	".time{text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}\n"
	".remark{grid-column:1/-1;color:var(--bad);padding-left:calc(var(--d)*1rem)}\n"
	"table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.15rem .5rem "
	".15rem 0;border-bottom:1px solid var(--line);vertical-align:top;"
	"overflow-wrap:anywhere}\n"
	"td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
	".scroll{overflow-x:auto}\n"
	".line{white-space:nowrap}.verdict{font-size:1.1rem;font-weight:600}.legend span{margin-right:1rem}\n"
	".plot{display:grid;grid-template-columns:6.5rem 1fr;gap:.5rem;margin:.3rem 0}"
	".plot .label{display:flex;flex-direction:column;justify-content:space-between;"
	"text-align:right;font-size:.8rem;font-variant-numeric:tabular-nums}"
	".axis div{display:flex;justify-content:space-between;font-size:.8rem}\n"
	".chart{width:100%;height:5rem;display:block;border:1px solid var(--line)}"
	".tall{height:9rem}.w{fill:var(--hover);background:var(--hover)}.h{fill:var(--bar)}\n"
	".dots{fill:none;stroke:currentColor;stroke-width:5;stroke-linecap:round;"
	"vector-effect:non-scaling-stroke}.key{display:inline-block;width:.7rem;height:.7rem;"
	"margin-right:.3rem;border:1px solid var(--dim);border-radius:50%}"
	".key[class*=c]{background:currentColor}.key.w{background:var(--hover)}\n"
	".c0{color:var(--bad)}.c1{color:var(--other)}.c2{color:#b14fc4}.c3{color:#1f9e89}"
	".c4{color:var(--dim)}.c5{color:var(--bar)}.c6{color:#7a8f00}\n"
	"@media (max-width:40rem){.row{grid-template-columns:1fr fit-content(65%);gap:.1rem .6rem}"
	".track{grid-column:1/-1;grid-row:2}}\n"
	"@media print{.tools button{display:none}.row{break-inside:avoid}"
	"*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}\n";

/* Zooms by changing two numbers that all bars are placed by. */
static const char script[] =
	"document.querySelectorAll('.rows').forEach(rows=>{\n"
	"const whole=+rows.dataset.whole||1,per=+rows.dataset.per,unit=rows.dataset.unit,"
	"range=rows.parentNode.querySelector('.range');\n"
	"let from=0,span=whole;\n"
	"const show=()=>{span=Math.min(Math.max(span,whole/1e6,1),whole);"
	"from=Math.min(Math.max(from,0),whole-span);"
	"rows.style.setProperty('--from',from);rows.style.setProperty('--span',span);"
	"const at=t=>(t/per).toFixed(per>1?3:0);"
	"range.textContent=at(from)+' to '+at(from+span)+' '+unit};\n"
	"const zoom=(by,at)=>{const here=from+span*at,now=Math.min(Math.max(span*by,whole/1e6,1),"
	"whole);from=here-now*at;span=now;show()};\n"
	"const move=by=>{from+=span*by;show()},all=()=>{from=0;span=whole;show()};\n"
	"const act={'+':()=>zoom(.5,.5),'=':()=>zoom(.5,.5),'-':()=>zoom(2,.5),"
	"ArrowLeft:()=>move(-.25),ArrowRight:()=>move(.25),'0':all,Home:all};\n"
	"rows.addEventListener('keydown',e=>{if(e.key==='Enter'&&e.target.dataset.start){"
	"only(e.target);e.preventDefault()}else if(act[e.key]&&!e.ctrlKey&&!e.metaKey&&"
	"!e.altKey){act[e.key]();e.preventDefault()}});\n"
	"rows.parentNode.querySelectorAll('button').forEach(b=>"
	"b.addEventListener('click',act[b.dataset.key]));\n"
	"rows.addEventListener('wheel',e=>{const t=e.target.closest('.track');"
	"if(!t||!e.ctrlKey)return;e.preventDefault();const r=t.getBoundingClientRect();"
	"zoom(e.deltaY<0?.8:1.25,(e.clientX-r.left)/r.width)},{passive:false});\n"
	"const only=row=>{const s=+row.dataset.start,l=+row.dataset.length||span/10;"
	"span=l*1.1;from=s-l*.05;show()};\n"
	"rows.addEventListener('dblclick',e=>{const row=e.target.closest('.row');"
	"if(row)only(row)});\n"
	"show()});\n";

static bool allowed(const unsigned char *p)
{
	if (*p < 0x20)
		return *p == '\t' || *p == '\n';
	/* U+FFFE and U+FFFF, which no document may hold. */
	return !(p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe);
}

void html_text(const char *text, const struct report_out *out)
{
	for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
		if (!allowed(p)) {
			p += *p == 0xef ? 2 : 0;
			continue;
		}
		switch (*p) {
		case '&':
			fputs("&amp;", out->file);
			break;
		case '<':
			fputs("&lt;", out->file);
			break;
		case '>':
			fputs("&gt;", out->file);
			break;
		case '"':
			fputs("&quot;", out->file);
			break;
		case '\'':
			fputs("&#39;", out->file);
			break;
		default:
			fputc(*p, out->file);
		}
	}
}

void html_begin(const char *title, const struct report_out *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
	      "<meta name=\"generator\" content=\"hadal " HADAL_VERSION "\">\n"
	      "<link rel=\"icon\" href=\"data:,\">\n<title>",
	      out->file);
	html_text(title, out);
	fprintf(out->file, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", style);
	html_text(title, out);
	fputs("</h1>\n", out->file);
}

void html_end(const struct report_out *out)
{
	fprintf(out->file, "</main>\n<script>\n%s</script>\n</body>\n</html>\n", script);
}

void html_timeline_begin(const char *heading, uint64_t whole, const char *unit,
			 unsigned int per_unit, const struct report_out *out)
{
	static const char *const buttons[][3] = {
		{ "+", "+", "zoom in" },
		{ "-", "&minus;", "zoom out" },
		{ "ArrowLeft", "&larr;", "earlier" },
		{ "ArrowRight", "&rarr;", "later" },
		{ "0", "all", "the whole" },
	};

	fputs("<section>\n<h2>", out->file);
	html_text(heading, out);
	fputs("</h2>\n<div class=\"tools\">\n", out->file);
	for (size_t i = 0; i < sizeof(buttons) / sizeof(buttons[0]); i++)
		fprintf(out->file,
			"<button type=\"button\" data-key=\"%s\" title=\"%s\" "
			"aria-label=\"%s\">%s</button>\n",
			buttons[i][0], buttons[i][2], buttons[i][2], buttons[i][1]);
	fprintf(out->file,
		"<span class=\"range dim\" aria-live=\"polite\"></span>\n</div>\n"
		"<div class=\"rows\" tabindex=\"0\" role=\"list\" data-whole=\"%" PRIu64
		"\" data-unit=\"%s\" data-per=\"%u\" style=\"--from:0;--span:%" PRIu64 "\">\n",
		whole, unit, per_unit, whole ? whole : 1);
}

void html_timeline_end(const struct report_out *out)
{
	fputs("</div>\n<p class=\"dim\">Keys: + and &minus; zoom, &larr; and &rarr; move, 0 shows "
	      "all, Enter or a double click zooms to a row; Ctrl with the wheel zooms where the "
	      "pointer is.</p>\n</section>\n",
	      out->file);
}

void html_bar(const char *name, unsigned int depth, const char *group, uint64_t start,
	      uint64_t length, const char *text, const char *remark, const struct report_out *out)
{
	fprintf(out->file,
		"<div class=\"row %s%s\" role=\"listitem\" tabindex=\"0\" data-start=\"%" PRIu64
		"\" data-length=\"%" PRIu64 "\" style=\"--d:%u\" title=\"",
		group, remark ? " doubtful" : "", start, length, depth < 10 ? depth : 10);
	html_text(name, out);
	fputs(": ", out->file);
	html_text(text, out);
	fputs("\"><span class=\"name\">", out->file);
	html_text(name, out);
	fprintf(out->file,
		"</span><span class=\"track\"><span class=\"bar\" style=\"--s:%" PRIu64
		";--l:%" PRIu64 "\"></span></span><span class=\"time\">",
		start, length);
	html_text(text, out);
	fputs("</span>", out->file);
	if (remark) {
		fputs("<span class=\"remark\">doubtful: ", out->file);
		html_text(remark, out);
		fputs("</span>", out->file);
	}
	fputs("</div>\n", out->file);
}

void html_list(const char *heading, char *const *lines, size_t count, const struct report_out *out)
{
	if (!count)
		return;
	fputs("<section>\n<h2>", out->file);
	html_text(heading, out);
	fputs("</h2>\n<ul>\n", out->file);
	for (size_t i = 0; i < count; i++) {
		fputs("<li>", out->file);
		html_text(lines[i], out);
		fputs("</li>\n", out->file);
	}
	fputs("</ul>\n</section>\n", out->file);
}
