/* SPDX-License-Identifier: MIT */
/*
 * The recorder of lttng-gpu, put before a program whose kernels are traced. A run of equal events
 * (location, lanes) is kept in registers; a record is written when another one begins. Chunks of
 * the buffer are taken by an atomic; a full buffer counts what is lost.
 *
 * Buffer, words of 32 bits: 0 chunks taken, 1 chunks there are, 2 records lost, 4 to 6 local size,
 * 7 to 9 work-groups; chunks of 64 words follow from word 64 on. Chunk: work-group; warp, 1 << 8 of
 * a warp's first, multiprocessor << 16; time, two words; records of 2 words (3 with times):
 * location << 20 | count; lanes; time, low word. A word 0 is no record. Location 4095 is the end of
 * a warp, or of a part of it, with the time's low word in place of the lanes.
 */
#define LTTNG_GPU_LOCAL_WORDS 32 /* a cursor for each warp of a work-group */
#define LTTNG_GPU_CHUNK 64u
#define LTTNG_GPU_NONE 0x1fffffu
#define LTTNG_GPU_END 4095u
#ifdef LTTNG_GPU_TIMES
#define LTTNG_GPU_RECORD 3u
#define LTTNG_GPU_RECORDS 20u
#else
#define LTTNG_GPU_RECORD 2u
#define LTTNG_GPU_RECORDS 30u
#endif
typedef struct {
	uint location, lanes, count, time, id;
	volatile __local uint *cursor;
	volatile __global uint *buffer;
} lttng_gpu_recorder;

#ifdef LTTNG_GPU_WARPS
static inline uint lttng_gpu_lanes(__private lttng_gpu_recorder *r)
{
	uint lanes;
	asm volatile("activemask.b32 %0;" : "=r"(lanes));
	return lanes;
}
/* Whether this lane is the lowest of these. */
static inline int lttng_gpu_leads(__private lttng_gpu_recorder *r, uint lanes)
{
	return (lanes & (0u - lanes)) == (1u << (r->id & 31u));
}
static inline ulong lttng_gpu_time(void)
{
	ulong time;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
	return time;
}
static inline uint lttng_gpu_time_low(void)
{
	uint time;
	asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(time));
	return time;
}
static inline uint lttng_gpu_place(void)
{
	uint place;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(place));
	return place;
}
#define LTTNG_GPU_WARP(id) ((id) >> 5)
#define LTTNG_GPU_IS_FIRST(id) (((id) & 31u) == 0u)
#else
/* No warps are known of: each work-item is its own, and its number stands for the lanes. */
#define lttng_gpu_lanes(r) ((r)->id)
#define lttng_gpu_leads(r, lanes) ((r)->count != 0u)
#define lttng_gpu_time() 0ul
#define lttng_gpu_time_low() 0u
#define lttng_gpu_place() 0u
#define LTTNG_GPU_WARP(id) 0u
#define LTTNG_GPU_IS_FIRST(id) ((id) == 0u)
#endif

static uint lttng_gpu_take(__private lttng_gpu_recorder *r, uint first)
{
	uint chunk = r->buffer[0] < r->buffer[1] ? atomic_inc(r->buffer) : LTTNG_GPU_NONE;
	volatile __global uint *head;
	ulong time;

	if (chunk >= r->buffer[1])
		return LTTNG_GPU_NONE;
	head = r->buffer + (chunk + 1u) * LTTNG_GPU_CHUNK;
	time = lttng_gpu_time();
	head[0] = (uint)(get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2)));
	head[1] = LTTNG_GPU_WARP(r->id) | first << 8 | lttng_gpu_place() << 16;
	head[2] = (uint)time;
	head[3] = (uint)(time >> 32);
	return chunk;
}

static void lttng_gpu_put(__private lttng_gpu_recorder *r, uint what, uint lanes, uint time)
{
	uint cursor = *r->cursor;
	volatile __global uint *record;

	if (cursor >> 11 != LTTNG_GPU_NONE)
		cursor = atomic_inc(r->cursor);
	if (cursor >> 11 != LTTNG_GPU_NONE && (cursor & 2047u) >= LTTNG_GPU_RECORDS) {
		cursor = lttng_gpu_take(r, 0u) << 11;
		atomic_xchg(r->cursor, cursor + 1u);
	}
	if (cursor >> 11 == LTTNG_GPU_NONE) {
		atomic_inc(r->buffer + 2);
		return;
	}
	record = r->buffer + ((cursor >> 11) + 1u) * LTTNG_GPU_CHUNK + 4u + (cursor & 2047u) * LTTNG_GPU_RECORD;
	record[0] = what;
	record[1] = lanes;
#ifdef LTTNG_GPU_TIMES
	record[2] = time;
#endif
}

/* Ends the run, which the lowest of its lanes writes. */
static void lttng_gpu_flush(__private lttng_gpu_recorder *r)
{
	if (!r->count || !lttng_gpu_leads(r, r->lanes))
		return;
	for (; r->count > 0xfffffu; r->count -= 0xfffffu)
		lttng_gpu_put(r, r->location << 20 | 0xfffffu, r->lanes, r->time);
	lttng_gpu_put(r, r->location << 20 | r->count, r->lanes, r->time);
}

static inline void lttng_gpu_point(__private lttng_gpu_recorder *r, uint location)
{
	uint lanes = lttng_gpu_lanes(r);

	if (location == r->location && lanes == r->lanes) {
		r->count++;
		return;
	}
	lttng_gpu_flush(r);
	r->location = location;
	r->lanes = lanes;
	r->count = 1u;
#ifdef LTTNG_GPU_TIMES
	r->time = lttng_gpu_time_low();
#endif
}

static inline void lttng_gpu_begin(__private lttng_gpu_recorder *r, volatile __local uint *cursors, __global uint *buffer)
{
	r->location = LTTNG_GPU_END;
	r->lanes = r->count = r->time = 0u;
	r->id = (uint)(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)));
	r->cursor = cursors + LTTNG_GPU_WARP(r->id);
	r->buffer = buffer;
	if (LTTNG_GPU_IS_FIRST(r->id))
		*r->cursor = lttng_gpu_take(r, 1u) << 11;
	if (r->id == 0u && get_group_id(0) == 0 && get_group_id(1) == 0 && get_group_id(2) == 0) {
		uint i;

		for (i = 0; i < 3u; ++i) {
			buffer[4u + i] = (uint)get_local_size(i);
			buffer[7u + i] = (uint)get_num_groups(i);
		}
	}
	barrier(CLK_LOCAL_MEM_FENCE);
}

static inline void lttng_gpu_end(__private lttng_gpu_recorder *r)
{
	lttng_gpu_flush(r);
	r->count = 0u;
#ifdef LTTNG_GPU_WARPS
	if (lttng_gpu_leads(r, lttng_gpu_lanes(r)))
		lttng_gpu_put(r, LTTNG_GPU_END << 20 | 1u, lttng_gpu_time_low(), 0u);
#endif
}
