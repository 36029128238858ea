# SPDX-License-Identifier: MIT
# The registers of each set of a metric file without conditions, in the form of oa_raw's dump. Values
# are as i915 keeps them: two registers lose the bits of a workaround.

function attribute(name, at) {
	at = index($0, name "=\"")
	return at ? substr($0, at + length(name) + 2) : ""
}

function value_of(name, text) {
	text = attribute(name)
	return substr(text, 1, index(text, "\"") - 1)
}

/hw_config_guid=/ {
	uuid = value_of("hw_config_guid")
}

/<register / {
	class = value_of("type")
	line = tolower(value_of("address")) " " tolower(value_of("value"))
	if (line ~ /^0x0000(e180|20cc) /)
		exit 1 # none of the files here has one
	lines[class] = lines[class] line "\n"
}

/<\/set>/ {
	print "set " uuid
	show("mux", lines["NOA"])
	show("boolean", lines["OA"])
	show("flex", lines["FLEX"])
	delete lines
}

function show(name, text, parts, n, i) {
	n = split(text, parts, "\n")
	for (i = 1; i < n; i++)
		print name " " parts[i]
}
