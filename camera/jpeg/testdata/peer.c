/* SPDX-License-Identifier: Apache-2.0 */
/* libjpeg-turbo beside ours: it makes JPEG 4:2:2 of YUYV frames without a detour through RGB, and reads files back as YUYV.
 *   peer encode WIDTH HEIGHT QUALITY < frame > file
 *   peer decode < file > frame
 *   peer bench WIDTH HEIGHT QUALITY < frame: for each further byte on stdin 20 encodings; their nanoseconds in a line on stdout
 * JSIMD_FORCENONE=1 in the environment takes its vector instructions away. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <jpeglib.h>

enum { ROUNDS = 20, LINES = 8 };

struct planes {
	int width, height;   /* of the picture */
	int wide, high;      /* with whole MCUs */
	unsigned char *sample[3];
};

static void fail(const char *what) {
	fprintf(stderr, "peer: %s\n", what);
	exit(1);
}

static struct planes new_planes(int width, int height) {
	struct planes p = {width, height, (width + 15) / 16 * 16, (height + 7) / 8 * 8, {0}};
	for (int c = 0; c < 3; c++)
		if (!(p.sample[c] = malloc((size_t)p.wide * p.high)))
			fail("no memory");
	return p;
}

/* Takes a frame apart; the last column and row go on to the end of the MCUs. */
static void split(struct planes *p, const unsigned char *yuyv) {
	for (int y = 0; y < p->high; y++) {
		const unsigned char *row = yuyv + 2 * (size_t)p->width * (y < p->height ? y : p->height - 1);
		unsigned char *l = p->sample[0] + (size_t)y * p->wide;
		unsigned char *cb = p->sample[1] + (size_t)y * (p->wide / 2), *cr = p->sample[2] + (size_t)y * (p->wide / 2);
		for (int x = 0; x < p->width / 2; x++) {
			l[2 * x] = row[4 * x];
			cb[x] = row[4 * x + 1];
			l[2 * x + 1] = row[4 * x + 2];
			cr[x] = row[4 * x + 3];
		}
		memset(l + p->width, l[p->width - 1], p->wide - p->width);
		memset(cb + p->width / 2, cb[p->width / 2 - 1], (p->wide - p->width) / 2);
		memset(cr + p->width / 2, cr[p->width / 2 - 1], (p->wide - p->width) / 2);
	}
}

static void rows_at(struct planes *p, int y, JSAMPROW rows[3][LINES], JSAMPARRAY data[3]) {
	for (int c = 0; c < 3; c++) {
		for (int i = 0; i < LINES; i++)
			rows[c][i] = p->sample[c] + (size_t)(y + i) * (c ? p->wide / 2 : p->wide);
		data[c] = rows[c];
	}
}

static unsigned long encode(struct planes *p, const unsigned char *yuyv, int quality, unsigned char **file, unsigned long room) {
	struct jpeg_compress_struct c;
	struct jpeg_error_mgr err;
	JSAMPROW rows[3][LINES];
	JSAMPARRAY data[3];
	unsigned long size = room;
	c.err = jpeg_std_error(&err);
	jpeg_create_compress(&c);
	jpeg_mem_dest(&c, file, &size);
	c.image_width = p->width;
	c.image_height = p->height;
	c.input_components = 3;
	c.in_color_space = JCS_YCbCr;
	jpeg_set_defaults(&c);
	jpeg_set_quality(&c, quality, TRUE);
	c.comp_info[0].h_samp_factor = 2;
	c.comp_info[0].v_samp_factor = 1;
	c.dct_method = JDCT_ISLOW;
	c.raw_data_in = TRUE;
	jpeg_start_compress(&c, TRUE);
	split(p, yuyv);
	for (int y = 0; y < p->height; y += LINES) {
		rows_at(p, y, rows, data);
		jpeg_write_raw_data(&c, data, LINES);
	}
	jpeg_finish_compress(&c);
	jpeg_destroy_compress(&c);
	return size;
}

static unsigned char *slurp(size_t *size) {
	size_t room = 1 << 20;
	unsigned char *buf = malloc(room);
	for (*size = 0;; ) {
		size_t n = fread(buf + *size, 1, room - *size, stdin);
		if (n == 0)
			return buf;
		if ((*size += n) == room)
			buf = realloc(buf, room *= 2);
	}
}

static void decode(void) {
	struct jpeg_decompress_struct d;
	struct jpeg_error_mgr err;
	JSAMPROW rows[3][LINES];
	JSAMPARRAY data[3];
	size_t size;
	unsigned char *file = slurp(&size);
	d.err = jpeg_std_error(&err);
	jpeg_create_decompress(&d);
	jpeg_mem_src(&d, file, size);
	jpeg_read_header(&d, TRUE);
	if (d.num_components != 3 || d.comp_info[0].h_samp_factor != 2 || d.comp_info[0].v_samp_factor != 1)
		fail("not 4:2:2");
	d.raw_data_out = TRUE;
	d.do_fancy_upsampling = FALSE;
	d.dct_method = JDCT_ISLOW;
	jpeg_start_decompress(&d);
	struct planes p = new_planes(d.image_width, d.image_height);
	for (int y = 0; y < p.height; y += LINES) {
		rows_at(&p, y, rows, data);
		jpeg_read_raw_data(&d, data, LINES);
	}
	jpeg_finish_decompress(&d);
	if (err.num_warnings)
		fail("warnings");
	for (int y = 0; y < p.height; y++)
		for (int x = 0; x < p.width; x++) {
			putchar(p.sample[0][(size_t)y * p.wide + x]);
			putchar(p.sample[1 + x % 2][(size_t)y * (p.wide / 2) + x / 2]);
		}
}

int main(int argc, char **argv) {
	if (argc == 2 && !strcmp(argv[1], "decode")) {
		decode();
		return 0;
	}
	if (argc != 5)
		fail("usage: peer encode|bench WIDTH HEIGHT QUALITY, or peer decode");
	struct planes p = new_planes(atoi(argv[2]), atoi(argv[3]));
	int quality = atoi(argv[4]);
	size_t bytes = 2 * (size_t)p.width * p.height;
	unsigned char *frame = malloc(bytes), *file = malloc(2 * bytes + 65536);
	if (fread(frame, 1, bytes, stdin) != bytes)
		fail("frame too short");
	unsigned long size = encode(&p, frame, quality, &file, 2 * bytes + 65536);
	if (!strcmp(argv[1], "encode")) {
		fwrite(file, 1, size, stdout);
		return 0;
	}
	while (getchar() != EOF) {
		struct timespec a, b;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
		for (int i = 0; i < ROUNDS; i++)
			encode(&p, frame, quality, &file, 2 * bytes + 65536);
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
		printf("%lld\n", (b.tv_sec - a.tv_sec) * 1000000000LL + b.tv_nsec - a.tv_nsec);
		fflush(stdout);
	}
	return 0;
}
