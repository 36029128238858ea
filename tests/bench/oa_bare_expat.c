// SPDX-License-Identifier: MIT
/* The least that reading XML files can cost: expat parses their bytes, and nobody listens. */
#include <expat.h>
#include <stdio.h>
#include <stdlib.h>

static char *read_all(const char *path, size_t *length)
{
	FILE *file = fopen(path, "rb");
	char *bytes = NULL;
	long end;

	if (file && fseek(file, 0, SEEK_END) == 0 && (end = ftell(file)) >= 0) {
		rewind(file);
		bytes = malloc((size_t)end + 1);
		if (bytes)
			*length = fread(bytes, 1, (size_t)end, file);
	}
	if (file)
		fclose(file);
	return bytes;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		XML_Parser parser = XML_ParserCreate(NULL);
		size_t length = 0;
		char *bytes = read_all(argv[i], &length);

		if (!parser || !bytes ||
		    XML_Parse(parser, bytes, (int)length, 1) != XML_STATUS_OK) {
			fprintf(stderr, "%s: not parsed\n", argv[i]);
			return 1;
		}
		XML_ParserFree(parser);
		free(bytes);
	}
	return 0;
}
