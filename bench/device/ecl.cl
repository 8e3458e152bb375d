/* SPDX-License-Identifier: MIT */
/*
 * The baseline: what the thesis of ECL-Tracer describes, in place of our recorder, at the same points. Each event is
 * (location, active lanes) of a warp, one byte and one word. CUT: the word becomes bytes. LZa2: a hash of the last two bytes
 * finds where these stood last; the length of what is equal from there is put out, and the byte that differs. RLE: a byte with
 * two counts of 4 bits (bytes that do not repeat, repeats of the last one) before up to 17 bytes. It is written from the description
 * alone; sizes of history and table are ours.
 */
#define ECL_BYTES 384u
#define LTTNG_GPU_LOCAL_WORDS (8 * 96)
#define LTTNG_GPU_CHUNK 64u
typedef struct {
	uint id;
	volatile __local uchar *s;
	volatile __global uint *buffer;
} lttng_gpu_recorder;
#define HISTORY 0
#define TABLE 256
#define AT 320
#define FROM 321
#define LENGTH 322
#define MATCHES 323
#define SINGLES 324
#define REPEATS 325
#define BYTES 328
#define CURSOR(r) ((volatile __local uint *)((r)->s + 352))

static uint ecl_lanes(void)
{
	uint lanes;
	asm volatile("activemask.b32 %0;" : "=r"(lanes));
	return lanes;
}

static void ecl_out(__private lttng_gpu_recorder *r, uint byte)
{
	uint cursor = *CURSOR(r);

	if ((cursor & 255u) >= 248u || cursor == ~0u) {
		uint chunk = r->buffer[0] < r->buffer[1] ? atomic_inc(r->buffer) : ~0u;

		if (chunk >= r->buffer[1]) {
			atomic_inc(r->buffer + 2);
			return;
		}
		cursor = chunk << 8;
		r->buffer[(chunk + 1u) * LTTNG_GPU_CHUNK] = (uint)get_group_id(0) << 5 | r->id >> 5;
	}
	((volatile __global uchar *)r->buffer)[((cursor >> 8) + 1u) * 256u + 8u + (cursor & 255u)] = (uchar)byte;
	*CURSOR(r) = cursor + 1u;
}

static void ecl_flush(__private lttng_gpu_recorder *r)
{
	volatile __local uchar *s = r->s;
	uint singles = s[SINGLES], i;

	if (!singles)
		return;
	ecl_out(r, (singles - 1u) << 4 | s[REPEATS]);
	for (i = 0; i < singles; ++i)
		ecl_out(r, s[BYTES + i]);
	s[SINGLES] = s[REPEATS] = 0;
}

static void ecl_rle(__private lttng_gpu_recorder *r, uint byte)
{
	volatile __local uchar *s = r->s;
	uint singles = s[SINGLES];

	if (singles && s[BYTES + singles - 1u] == byte && s[REPEATS] < 15) {
		s[REPEATS]++;
		return;
	}
	if (s[REPEATS] || singles == 16u) {
		ecl_flush(r);
		singles = 0;
	}
	s[BYTES + singles] = (uchar)byte;
	s[SINGLES] = (uchar)(singles + 1u);
}

static void ecl_lz(__private lttng_gpu_recorder *r, uint byte)
{
	volatile __local uchar *s = r->s;
	uint at = s[AT], hash;

	if (s[MATCHES] && s[HISTORY + s[FROM]] == byte && s[LENGTH] < 255) {
		s[LENGTH]++;
		s[FROM]++;
	} else {
		if (s[MATCHES])
			ecl_rle(r, s[LENGTH]);
		ecl_rle(r, byte);
		s[MATCHES] = 0;
	}
	s[HISTORY + at] = (uchar)byte;
	hash = (byte * 31u ^ s[HISTORY + ((at - 1u) & 255u)] * 7u) & 63u;
	if (!s[MATCHES]) {
		s[FROM] = s[TABLE + hash];
		s[MATCHES] = 1;
		s[LENGTH] = 0;
	}
	s[AT] = (uchar)(at + 1u);
	s[TABLE + hash] = (uchar)(at + 1u);
}

static inline void lttng_gpu_point(__private lttng_gpu_recorder *r, uint location)
{
	uint lanes = ecl_lanes(), i;

	if ((lanes & (0u - lanes)) != (1u << (r->id & 31u)))
		return;
	ecl_lz(r, location);
	for (i = 0; i < 4u; ++i)
		ecl_lz(r, lanes >> (8u * i) & 255u);
}

static inline void lttng_gpu_begin(__private lttng_gpu_recorder *r, volatile __local uint *all, __global uint *buffer,
				   uint location)
{
	uint i;

	r->id = (uint)get_local_id(0);
	r->s = (volatile __local uchar *)all + (r->id >> 5) * ECL_BYTES;
	r->buffer = buffer;
	for (i = r->id & 31u; i < ECL_BYTES; i += 32u)
		r->s[i] = 0;
	barrier(CLK_LOCAL_MEM_FENCE);
	if (!(r->id & 31u))
		*CURSOR(r) = ~0u;
	barrier(CLK_LOCAL_MEM_FENCE);
	lttng_gpu_point(r, location);
}

static inline void lttng_gpu_end(__private lttng_gpu_recorder *r)
{
	uint lanes = ecl_lanes();

	if ((lanes & (0u - lanes)) == (1u << (r->id & 31u))) {
		if (r->s[MATCHES] && r->s[LENGTH])
			ecl_rle(r, r->s[LENGTH]);
		r->s[MATCHES] = r->s[LENGTH] = 0;
		ecl_flush(r);
	}
}
