/* SPDX-License-Identifier: MIT */
/*
 * The recorder of lttng-gpu, in OpenCL C (put before a program whose kernels are traced) and CUDA
 * C++ (lttng_gpu_device.h). A run of equal events (location, lanes) is kept in registers; a record is
 * written when another one begins. A warp's first records stay in local memory, and the last
 * work-item of a work-group writes those of all its warps at once; a warp that has more takes chunks
 * of the buffer by an atomic. A full buffer counts what is lost.
 *
 * Buffer, words of 32 bits: 0 chunks taken, 1 chunks there are, 2 records lost, 4 to 6 local size,
 * 7 to 9 work-groups; chunks of 64 words follow from word 64 on. Head of a chunk: work-group; warp,
 * multiprocessor << 16; time, two words. Then records; a word 0 ends them. Short record: 1 << 31 |
 * location << 20 | lanes (lttng_gpu_code) << 13 | count. Long one: location << 20 | count; lanes.
 * Table, of a number of each lane: 2047 << 20 | whether lanes follow (else all) << 19 | form << 15 | location; lanes; numbers. Form: up to
 * 12 a word for each bit of the numbers, so many; 14 so for 16 bits; 13 one number that all have; 15 one for each lane. 2047: passes of a loop; with
 * 1 << 11 the numbers are exclusive or a first one that comes before them. 2046: paths through a loop, which are a 1 and then so many
 * bits (<< 11) for each pass: one for each point after the loop's own, the location after it the lowest, if it was passed. With times each
 * has the time's low word last, a table after its lanes.
 *
 * Block of a work-group, of as many chunks as it needs: head with 1 << 8 instead of the warp, then
 * per warp: words of records | 1 << 5 if its times follow | 1 << 6 if it has chunks, too | else begin
 * << 7, 9 bits after the head's time | time it ran << 16; (begin and end, low words); the records.
 */
#ifndef LTTNG_GPU_RECORDER_H
#define LTTNG_GPU_RECORDER_H

#define LTTNG_GPU_NO_TRACE_POINT(name) /* what is left of a point that the layer found */

#define LTTNG_GPU_CHUNK 64u
#define LTTNG_GPU_HEAD 4u
#define LTTNG_GPU_NONE 0x1fffffu /* a chunk that is none */
#define LTTNG_GPU_NOWHERE ~0u /* a word's place that is none */
#define LTTNG_GPU_NOTHING 2047u /* a location that is none; of a table */
#define LTTNG_GPU_PATHS 2046u /* likewise, of a table of paths */
#define LTTNG_GPU_MOST_PLANES 12u /* forms of a table */
#define LTTNG_GPU_ONE 13u
#define LTTNG_GPU_PLANES_16 14u
#define LTTNG_GPU_EACH 15u
#define LTTNG_GPU_LOCAL_HEAD 4u /* words of a work-group: work-items that ended, time of its begin */
#define LTTNG_GPU_LOCAL_WARP 32u /* words of a warp: cursor, begin, end, words before its chunks, records, records lost */
#define LTTNG_GPU_STAGE 27u
#define LTTNG_GPU_LOST 31u

#ifndef __cplusplus /* lttng_gpu_device.h has these for CUDA C++ */
#define LTTNG_GPU_GLOBAL volatile __global
#define LTTNG_GPU_PLAIN __global
#define LTTNG_GPU_LOCAL volatile __local
#define LTTNG_GPU_SETTLED __local const /* nobody writes to it any more */
#define LTTNG_GPU_PRIVATE __private
#ifdef LTTNG_GPU_WARPS /* with calls of it, NVIDIA's compiler made code that lost records, or failed */
#define LTTNG_GPU_INLINE static inline __attribute__((always_inline))
#define LTTNG_GPU_RARE static inline __attribute__((always_inline))
#else /* PoCL 3.1 loses code of a kernel's end where it was inlined before its own passes */
#define LTTNG_GPU_INLINE static inline
#define LTTNG_GPU_RARE static
#endif
#define LTTNG_GPU_ADD(place, value) atomic_add(place, value)
#define LTTNG_GPU_SWAP(place, value) atomic_xchg(place, value)
#define LTTNG_GPU_FENCE() mem_fence(CLK_LOCAL_MEM_FENCE)
#define LTTNG_GPU_BARRIER() barrier(CLK_LOCAL_MEM_FENCE)
#define LTTNG_GPU_POPCOUNT(value) popcount(value)
#define LTTNG_GPU_LOWEST(value) (31u - clz((value) & (0u - (value))))
#define LTTNG_GPU_WIDTH(value) (32u - clz(value))
#define LTTNG_GPU_ITEM() \
	((uint)(get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2))))
#define LTTNG_GPU_ITEMS() ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
#define LTTNG_GPU_GROUP() \
	((uint)(get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2))))
#define LTTNG_GPU_SIZE(i) ((uint)get_local_size(i))
#define LTTNG_GPU_GROUPS(i) ((uint)get_num_groups(i))
#endif

typedef struct {
	uint location, lanes, count, time, id;
	LTTNG_GPU_LOCAL uint *group;
	LTTNG_GPU_GLOBAL uint *buffer;
} lttng_gpu_recorder;

#ifdef LTTNG_GPU_WARPS
#ifndef LTTNG_GPU_LOCKSTEP /* tests have warps of their own */
LTTNG_GPU_INLINE uint lttng_gpu_active(void)
{
	uint lanes;
	asm volatile("activemask.b32 %0;" : "=r"(lanes));
	return lanes;
}
LTTNG_GPU_INLINE ulong lttng_gpu_time(void)
{
	ulong time;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
	return time;
}
LTTNG_GPU_INLINE uint lttng_gpu_time_low(void)
{
	uint time;
	asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(time));
	return time;
}
LTTNG_GPU_INLINE uint lttng_gpu_place(void)
{
	uint place;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(place));
	return place;
}
/* The value that this lane has, for all of these; they come here together. */
LTTNG_GPU_INLINE uint lttng_gpu_of_lane(uint value, uint lane, uint lanes)
{
	uint got;
	asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, %3;" : "=r"(got) : "r"(value), "r"(lane), "r"(lanes));
	return got;
}
/* Those of the lanes for which it is not 0. */
LTTNG_GPU_INLINE uint lttng_gpu_where(uint value, uint lanes)
{
	uint got;
	asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }" : "=r"(got) : "r"(value), "r"(lanes));
	return got;
}
/* The bits that any of these lanes has; they come here together. */
LTTNG_GPU_INLINE uint lttng_gpu_any(uint value, uint lanes)
{
	uint got = 0u;
#ifdef LTTNG_GPU_REDUX
	asm volatile("redux.sync.or.b32 %0, %1, %2;" : "=r"(got) : "r"(value), "r"(lanes));
#else
	while (lttng_gpu_where(value > got, lanes))
		got = got << 1 | 1u;
#endif
	return got;
}
/* These lanes wait for one another, and see what the others wrote. */
LTTNG_GPU_INLINE void lttng_gpu_sync(uint lanes)
{
	asm volatile("bar.warp.sync %0;" : : "r"(lanes) : "memory");
}
#endif
#define LTTNG_GPU_SYNC(lanes) lttng_gpu_sync(lanes)
#define lttng_gpu_lanes(r) lttng_gpu_active()
#define LTTNG_GPU_TOGETHER() lttng_gpu_active()
/* Whether this lane is the lowest of these. */
#define LTTNG_GPU_LEADS(r, lanes) (((lanes) & (0u - (lanes))) == (1u << ((r)->id & 31u)))
#define LTTNG_GPU_WARP(id) ((id) >> 5)
#define LTTNG_GPU_LANE(id) ((id) & 31u)
#define LTTNG_GPU_WARPS_OF(items) (((items) + 31u) / 32u)
#else
/* No warps are known of: each work-item is its own, and its number stands for the lanes. */
#define LTTNG_GPU_SYNC(lanes) (void)(lanes)
#define lttng_gpu_lanes(r) ((r)->id)
#define LTTNG_GPU_TOGETHER() 0u
#define LTTNG_GPU_LEADS(r, lanes) ((r)->count != 0u)
#define lttng_gpu_time() 0ul
#define lttng_gpu_time_low() 0u
#define lttng_gpu_place() 0u
#define LTTNG_GPU_WARP(id) 0u
#define LTTNG_GPU_LANE(id) (id)
#define LTTNG_GPU_WARPS_OF(items) 1u
#endif

#ifdef LTTNG_GPU_TIMES
#define LTTNG_GPU_NOW() lttng_gpu_time_low()
#define LTTNG_GPU_TIME_WORDS 1u
#else
#define LTTNG_GPU_NOW() 0u
#define LTTNG_GPU_TIME_WORDS 0u
#endif

/* Lanes in 7 bits, if they are one, the lowest ones, the highest ones or all; else 127. */
LTTNG_GPU_INLINE uint lttng_gpu_code(uint lanes)
{
#ifdef LTTNG_GPU_WARPS
	if (!(lanes & (lanes - 1u)))
		return LTTNG_GPU_LOWEST(lanes);
	if (!(lanes & (lanes + 1u)))
		return 32u + LTTNG_GPU_POPCOUNT(lanes);
	if (!(~lanes & (~lanes + 1u)))
		return 64u + LTTNG_GPU_POPCOUNT(lanes);
	return 127u;
#else
	return lanes < 127u ? lanes : 127u;
#endif
}

/* So many chunks, one after the other; the number of the first. */
LTTNG_GPU_RARE uint lttng_gpu_take(LTTNG_GPU_GLOBAL uint *buffer, uint chunks, uint what, uint time_low, uint time_high)
{
	uint most = buffer[1], chunk;
	LTTNG_GPU_GLOBAL uint *head;

	/* A warp that gets none asks no more: the first work-groups cannot make this number wrap. */
	if (LTTNG_GPU_GROUP() >> 22 && buffer[0] >= most)
		return LTTNG_GPU_NONE;
	chunk = LTTNG_GPU_ADD(buffer, chunks);
	if (chunk >= most || chunk + chunks > most)
		return LTTNG_GPU_NONE;
	head = buffer + (chunk + 1u) * LTTNG_GPU_CHUNK;
	head[0] = LTTNG_GPU_GROUP();
	head[1] = what | lttng_gpu_place() << 16;
	head[2] = time_low;
	head[3] = time_high;
	return chunk;
}

/* Where so many words go: a place in the stage below LTTNG_GPU_STAGE, else one in the buffer. */
LTTNG_GPU_INLINE uint lttng_gpu_reserve(LTTNG_GPU_LOCAL uint *warp, LTTNG_GPU_GLOBAL uint *buffer, uint id, uint words)
{
	uint cursor = warp[0], used, chunk;

	(void)id;
	if (cursor >> 11 != LTTNG_GPU_NONE)
		cursor = LTTNG_GPU_ADD(warp, words);
	chunk = cursor >> 11;
	used = cursor & 2047u;
	if (chunk != LTTNG_GPU_NONE && used + words > (chunk ? LTTNG_GPU_CHUNK - LTTNG_GPU_HEAD : LTTNG_GPU_STAGE)) {
		ulong time = lttng_gpu_time();

		if (!chunk && used <= LTTNG_GPU_STAGE)
			warp[3] = used | 1u << 31;
		chunk = lttng_gpu_take(buffer, 1u, LTTNG_GPU_WARP(id), (uint)time, (uint)(time >> 32));
		chunk = chunk == LTTNG_GPU_NONE ? chunk : chunk + 1u;
		used = 0u;
		/* What lanes that are apart add meanwhile does not make it wrap. */
		LTTNG_GPU_SWAP(warp, chunk == LTTNG_GPU_NONE ? LTTNG_GPU_NONE << 11 : chunk << 11 | words);
	}
	if (chunk == LTTNG_GPU_NONE) {
		LTTNG_GPU_ADD(warp + LTTNG_GPU_LOST, 1u);
		return LTTNG_GPU_NOWHERE;
	}
	return chunk ? chunk * LTTNG_GPU_CHUNK + LTTNG_GPU_HEAD + used : used;
}

LTTNG_GPU_INLINE void lttng_gpu_store(LTTNG_GPU_LOCAL uint *warp, LTTNG_GPU_GLOBAL uint *buffer, uint where, uint value)
{
	if (where < LTTNG_GPU_STAGE)
		warp[4u + where] = value;
	else
		*(LTTNG_GPU_PLAIN uint *)(buffer + where) = value;
}

LTTNG_GPU_RARE void lttng_gpu_write(LTTNG_GPU_LOCAL uint *warp, LTTNG_GPU_GLOBAL uint *buffer, uint id, uint location, uint lanes,
				    uint count, uint time)
{
	uint code = lttng_gpu_code(lanes);

	(void)time;
	while (count) {
		uint now = count < 0xfffffu ? count : 0xfffffu, is_short = code != 127u && now < 8192u;
		uint words = (is_short ? 1u : 2u) + LTTNG_GPU_TIME_WORDS;
		uint where = lttng_gpu_reserve(warp, buffer, id, words);

		count -= now;
		if (where == LTTNG_GPU_NOWHERE)
			continue;
		if (is_short) {
			lttng_gpu_store(warp, buffer, where, 1u << 31 | location << 20 | code << 13 | now);
		} else {
			lttng_gpu_store(warp, buffer, where, location << 20 | now);
			lttng_gpu_store(warp, buffer, where + 1u, lanes);
		}
#ifdef LTTNG_GPU_TIMES
		lttng_gpu_store(warp, buffer, where + words - 1u, time);
#endif
	}
}

/* Ends the run, which the lowest of its lanes writes. */
LTTNG_GPU_INLINE void lttng_gpu_flush(LTTNG_GPU_PRIVATE lttng_gpu_recorder *r)
{
	if (r->count && LTTNG_GPU_LEADS(r, r->lanes))
		lttng_gpu_write(r->group + LTTNG_GPU_LOCAL_HEAD + LTTNG_GPU_WARP(r->id) * LTTNG_GPU_LOCAL_WARP, r->buffer, r->id,
				r->location, r->lanes, r->count, r->time);
}

LTTNG_GPU_INLINE void lttng_gpu_run(LTTNG_GPU_PRIVATE lttng_gpu_recorder *r, uint location, uint lanes, uint count, uint time)
{
	if (location == r->location && lanes == r->lanes && r->count + count > count) {
		r->count += count;
		return;
	}
	lttng_gpu_flush(r);
	r->location = location;
	r->lanes = lanes;
	r->count = count;
	r->time = time;
}

LTTNG_GPU_INLINE void lttng_gpu_point(LTTNG_GPU_PRIVATE lttng_gpu_recorder *r, uint location)
{
	uint lanes = lttng_gpu_lanes(r);

	if (location == r->location && lanes == r->lanes && r->count + 1u != 0u)
		r->count++;
	else
		lttng_gpu_run(r, location, lanes, 1u, LTTNG_GPU_NOW());
}

#ifdef LTTNG_GPU_WARPS
/* A number of each lane in one record; `what` is its first word without what these numbers say. */
LTTNG_GPU_RARE void lttng_gpu_table(LTTNG_GPU_LOCAL uint *warp, LTTNG_GPU_GLOBAL uint *buffer, uint id, uint what, uint lanes,
				    uint number, uint time)
{
	uint leader = LTTNG_GPU_LOWEST(lanes), first = lttng_gpu_of_lane(number, leader, lanes), where = 0u;
	uint has_lanes = lanes != ~0u, has_first = 0u, form = LTTNG_GPU_ONE, words = 1u, rank;

	(void)time;
	rank = LTTNG_GPU_POPCOUNT(lanes & ((1u << LTTNG_GPU_LANE(id)) - 1u));
	if (lttng_gpu_where(number != first, lanes)) {
		words = LTTNG_GPU_POPCOUNT(lanes);
		has_first = what >> 20 == LTTNG_GPU_NOTHING && first > 63u;
		number ^= has_first ? first : 0u;
		form = LTTNG_GPU_WIDTH(lttng_gpu_any(number, lanes));
		form = form > LTTNG_GPU_MOST_PLANES && form < 17u ? 16u : form;
		if (form < words && form < 17u) {
			uint all = number, i;

			words = form;
			form = form == 16u ? LTTNG_GPU_PLANES_16 : form;
			for (i = 0u; i < words; ++i) {
				uint bits = lttng_gpu_where(all >> i & 1u, lanes);

				number = rank == i ? bits : number;
			}
		} else {
			form = LTTNG_GPU_EACH;
		}
	}
	if (LTTNG_GPU_LANE(id) == leader) {
		where = lttng_gpu_reserve(warp, buffer, id, 1u + has_lanes + LTTNG_GPU_TIME_WORDS + has_first + words);
		if (where != LTTNG_GPU_NOWHERE) {
			lttng_gpu_store(warp, buffer, where++, what | has_lanes << 19 | form << 15 | has_first << 11);
			if (has_lanes)
				lttng_gpu_store(warp, buffer, where++, lanes);
#ifdef LTTNG_GPU_TIMES
			lttng_gpu_store(warp, buffer, where++, time);
#endif
			if (has_first)
				lttng_gpu_store(warp, buffer, where++, first);
		}
	}
	where = lttng_gpu_of_lane(where, leader, lanes);
	if (where != LTTNG_GPU_NOWHERE && rank < words)
		lttng_gpu_store(warp, buffer, where + rank, number);
	LTTNG_GPU_SYNC(lanes);
}

/* The paths of the lanes that have any: of those that came to the loop together if these wait here, else of those that are here. */
LTTNG_GPU_INLINE void lttng_gpu_paths(LTTNG_GPU_PRIVATE lttng_gpu_recorder *r, uint location, uint bits, uint path, uint time, uint together)
{
	uint lanes = lttng_gpu_where(path != 1u, together ? together : lttng_gpu_active());

	if (path == 1u)
		return;
	lttng_gpu_flush(r);
	r->location = LTTNG_GPU_NOTHING;
	r->count = 0u;
	lttng_gpu_table(r->group + LTTNG_GPU_LOCAL_HEAD + LTTNG_GPU_WARP(r->id) * LTTNG_GPU_LOCAL_WARP, r->buffer, r->id,
			LTTNG_GPU_PATHS << 20 | bits << 11 | location, lanes, path, time);
}

/*
 * A loop with points in it: each lane keeps `bits` bits for each pass, one for each of these points; after `most` passes, and at the
 * loop's end, they are written. Lanes that are together have as many passes. The run before the loop is written first, so that nothing
 * of it needs registers in the loop.
 */
#define LTTNG_GPU_PATHS_BEGIN(loop, lanes) \
	uint lttng_gpu_t##loop = 1u, lttng_gpu_n##loop = 0u, lttng_gpu_u##loop = LTTNG_GPU_NOW(), lttng_gpu_m##loop = (lanes); \
	lttng_gpu_flush(lttng_gpu_r);                                                                                 \
	lttng_gpu_r->location = LTTNG_GPU_NOTHING;                                                                    \
	lttng_gpu_r->count = 0u
#define LTTNG_GPU_PATHS_PASS(loop, bits, most)                                                                        \
	do {                                                                                                          \
		if (lttng_gpu_n##loop == (most)) {                                                                    \
			lttng_gpu_paths(lttng_gpu_r, loop##u, bits, lttng_gpu_t##loop, lttng_gpu_u##loop, 0u);        \
			lttng_gpu_t##loop = 1u;                                                                       \
			lttng_gpu_n##loop = 0u;                                                                       \
			lttng_gpu_u##loop = LTTNG_GPU_NOW();                                                          \
		}                                                                                                     \
		lttng_gpu_n##loop++;                                                                                  \
		lttng_gpu_t##loop <<= (bits);                                                                         \
	} while (0)
#define LTTNG_GPU_PATHS_POINT(loop, number) (lttng_gpu_t##loop |= 1u << ((number) - 1u))
/*
 * The same for a loop in a loop, of which the inner one makes at most `most` passes: compilers unroll it, because it writes no records. If
 * it ended by itself or by `break`, it has passes left.
 */
#define LTTNG_GPU_PATHS_EMPTY(loop, most) (lttng_gpu_t##loop = 1u, lttng_gpu_n##loop = (most), lttng_gpu_u##loop = LTTNG_GPU_NOW())
#define LTTNG_GPU_PATHS_ROOM(loop) (lttng_gpu_n##loop != 0u)
#define LTTNG_GPU_PATHS_SHIFT(loop, bits) (lttng_gpu_t##loop <<= (bits))
#define LTTNG_GPU_PATHS_PASSED(loop) --lttng_gpu_n##loop
#define LTTNG_GPU_PATHS_NEXT(loop, bits)                                                                              \
	if (lttng_gpu_n##loop)                                                                                        \
		break;                                                                                                \
	lttng_gpu_paths(lttng_gpu_r, loop##u, bits, lttng_gpu_t##loop, lttng_gpu_u##loop, 0u)
#define LTTNG_GPU_PATHS_END(loop, bits) \
	lttng_gpu_paths(lttng_gpu_r, loop##u, bits, lttng_gpu_t##loop, lttng_gpu_u##loop, lttng_gpu_m##loop)
#else /* each point is one */
#define LTTNG_GPU_PATHS_BEGIN(loop, lanes) ((void)0)
#define LTTNG_GPU_PATHS_PASS(loop, bits, most) lttng_gpu_point(lttng_gpu_r, loop##u)
#define LTTNG_GPU_PATHS_POINT(loop, number) lttng_gpu_point(lttng_gpu_r, loop##u + (number))
#define LTTNG_GPU_PATHS_EMPTY(loop, most) ((void)0)
#define LTTNG_GPU_PATHS_ROOM(loop) 1
#define LTTNG_GPU_PATHS_SHIFT(loop, bits) lttng_gpu_point(lttng_gpu_r, loop##u)
#define LTTNG_GPU_PATHS_PASSED(loop) ((void)0)
#define LTTNG_GPU_PATHS_NEXT(loop, bits) break
#define LTTNG_GPU_PATHS_END(loop, bits) ((void)0)
#endif

/*
 * After a loop that is no point in each pass: how often this lane passed. `together`: the lanes that came to the loop together, for
 * which those wait that leave it first; 0: a lane in the loop may wait for another one.
 */
LTTNG_GPU_INLINE void lttng_gpu_trips(LTTNG_GPU_PRIVATE lttng_gpu_recorder *r, uint location, uint trips, uint time, uint together)
{
	uint lanes;

#ifdef LTTNG_GPU_WARPS
	lanes = lttng_gpu_where(trips, together ? together : lttng_gpu_active());
	if (!trips)
		return;
	{
		uint first = lttng_gpu_of_lane(trips, LTTNG_GPU_LOWEST(lanes), lanes);

		if (lttng_gpu_where(trips != first, lanes)) {
			lttng_gpu_flush(r);
			r->location = LTTNG_GPU_NOTHING;
			r->count = 0u;
			lttng_gpu_table(r->group + LTTNG_GPU_LOCAL_HEAD + LTTNG_GPU_WARP(r->id) * LTTNG_GPU_LOCAL_WARP, r->buffer,
					r->id, LTTNG_GPU_NOTHING << 20 | location, lanes, trips, time);
			return;
		}
	}
#else
	(void)together;
	if (!trips)
		return;
	lanes = lttng_gpu_lanes(r);
#endif
	lttng_gpu_run(r, location, lanes, trips, time);
	LTTNG_GPU_SYNC(lanes);
}

/* `location`: the kernel's entry, or LTTNG_GPU_NOTHING. All lanes that a warp has come there, so its first record is known. */
LTTNG_GPU_INLINE void lttng_gpu_begin(LTTNG_GPU_PRIVATE lttng_gpu_recorder *r, LTTNG_GPU_LOCAL uint *group,
				      LTTNG_GPU_GLOBAL uint *buffer, uint location)
{
	uint i;
	LTTNG_GPU_LOCAL uint *warp;

	r->location = LTTNG_GPU_NOTHING;
	r->lanes = r->count = r->time = 0u;
	r->id = LTTNG_GPU_ITEM();
	r->group = group;
	r->buffer = buffer;
	warp = group + LTTNG_GPU_LOCAL_HEAD + LTTNG_GPU_WARP(r->id) * LTTNG_GPU_LOCAL_WARP;
	if (LTTNG_GPU_LANE(r->id) == 0u) {
		warp[0] = warp[2] = warp[3] = warp[LTTNG_GPU_LOST] = 0u;
		warp[1] = lttng_gpu_time_low();
#ifdef LTTNG_GPU_WARPS
		if (location != LTTNG_GPU_NOTHING) {
			uint lanes = LTTNG_GPU_ITEMS() - r->id;

			lanes = lanes < 32u ? lanes : 32u;
			warp[4] = 1u << 31 | location << 20 | (lanes == 1u ? 0u : 32u + lanes) << 13 | 1u;
#ifdef LTTNG_GPU_TIMES
			warp[5] = warp[1];
#endif
			warp[0] = 1u + LTTNG_GPU_TIME_WORDS;
		}
#endif
	}
	if (r->id == 0u) {
		ulong time = lttng_gpu_time();

		group[0] = 0u;
		group[1] = (uint)time;
		group[2] = (uint)(time >> 32);
		if (LTTNG_GPU_GROUP() == 0u) {
			for (i = 0; i < 3u; ++i) {
				buffer[4u + i] = LTTNG_GPU_SIZE(i);
				buffer[7u + i] = LTTNG_GPU_GROUPS(i);
			}
		}
	}
	LTTNG_GPU_BARRIER();
#ifndef LTTNG_GPU_WARPS
	if (location != LTTNG_GPU_NOTHING)
		lttng_gpu_point(r, location);
#endif
}

/* Words of the record that begins with `what`. */
LTTNG_GPU_INLINE uint lttng_gpu_length(uint what, uint lanes)
{
	uint form = what >> 15 & 15u;

	if (what >> 31)
		return 1u + LTTNG_GPU_TIME_WORDS;
	if (what >> 20 < LTTNG_GPU_PATHS)
		return 2u + LTTNG_GPU_TIME_WORDS;
	return 1u + (what >> 19 & 1u) + LTTNG_GPU_TIME_WORDS + (what >> 20 == LTTNG_GPU_NOTHING && what >> 11 & 1u) +
	       (form <= LTTNG_GPU_MOST_PLANES ? form : form == LTTNG_GPU_ONE ? 1u : form == LTTNG_GPU_PLANES_16 ? 16u : what >> 19 & 1u ? LTTNG_GPU_POPCOUNT(lanes) : 32u);
}

LTTNG_GPU_INLINE uint lttng_gpu_staged(LTTNG_GPU_LOCAL uint *warp)
{
	return warp[3] >> 31 ? warp[3] & 2047u : warp[0];
}

/* Whether a warp's times fit into its word of a block. */
LTTNG_GPU_INLINE uint lttng_gpu_is_wide(LTTNG_GPU_LOCAL uint *group, LTTNG_GPU_LOCAL uint *warp)
{
	return warp[3] >> 31 || warp[1] - group[1] > 511u || warp[2] - warp[1] > 0xffffu;
}

/*
 * The records of all warps of the work-group, by the last of its work-items: `rank` of `together`. A warp's place is known from
 * the sizes of those before it, which take the places of the cursors.
 */
LTTNG_GPU_RARE void lttng_gpu_write_group(LTTNG_GPU_LOCAL uint *group, LTTNG_GPU_GLOBAL uint *buffer, uint rank, uint together, uint lanes)
{
	uint warps = LTTNG_GPU_WARPS_OF(LTTNG_GPU_ITEMS()), total = LTTNG_GPU_HEAD, chunk = 0u, mine = rank, number, i;
	LTTNG_GPU_LOCAL uint *warp = group + LTTNG_GPU_LOCAL_HEAD;
	LTTNG_GPU_SETTLED uint *settled;
	LTTNG_GPU_PLAIN uint *to_all;

	(void)lanes;
	for (number = rank; number < warps; number += together) {
		LTTNG_GPU_LOCAL uint *own = warp + number * LTTNG_GPU_LOCAL_WARP;
		uint is_wide = lttng_gpu_is_wide(group, own), lost = own[LTTNG_GPU_LOST];

		if (lost)
			LTTNG_GPU_ADD(buffer + 2, lost);
		own[0] = lttng_gpu_staged(own) | is_wide << 5;
	}
	LTTNG_GPU_SYNC(lanes);
	for (number = 0u; number < warps; ++number) {
		uint what = warp[number * LTTNG_GPU_LOCAL_WARP];

		if (number == mine) {
			warp[number * LTTNG_GPU_LOCAL_WARP + LTTNG_GPU_LOST] = total;
			mine += together;
		}
		total += 1u + (what & 31u) + (what >> 5) * 2u;
	}
	if (!rank)
		chunk = lttng_gpu_take(buffer, (total + LTTNG_GPU_CHUNK - 1u) / LTTNG_GPU_CHUNK, 1u << 8 | (warps - 1u), group[1],
				       group[2]);
#ifdef LTTNG_GPU_WARPS
	chunk = lttng_gpu_of_lane(chunk, LTTNG_GPU_LOWEST(lanes), lanes);
#endif
	if (chunk == LTTNG_GPU_NONE) {
		uint lost = 0u;

		for (number = rank; number < warps; number += together) {
			LTTNG_GPU_LOCAL uint *own = warp + number * LTTNG_GPU_LOCAL_WARP;

			for (i = 0u; i < (own[0] & 31u); i += lttng_gpu_length(own[4u + i], own[5u + i]))
				++lost;
		}
		if (lost)
			LTTNG_GPU_ADD(buffer + 2, lost);
		return;
	}
	buffer += (chunk + 1u) * LTTNG_GPU_CHUNK;
	to_all = (LTTNG_GPU_PLAIN uint *)buffer;
	for (number = rank; number < warps; number += together) {
		LTTNG_GPU_LOCAL uint *own = warp + number * LTTNG_GPU_LOCAL_WARP;
		LTTNG_GPU_PLAIN uint *to = to_all + own[LTTNG_GPU_LOST];
		uint what = own[0];

		if (what >> 5) {
			to[0] = what | (own[3] >> 31) << 6;
			to[1] = own[1];
			to[2] = own[2];
		} else {
			to[0] = what | (own[1] - group[1]) << 7 | (own[2] - own[1]) << 16;
		}
	}
	LTTNG_GPU_SYNC(lanes);
	settled = (LTTNG_GPU_SETTLED uint *)warp;
	for (number = 0u; number < warps; ++number, settled += LTTNG_GPU_LOCAL_WARP) {
		uint what = settled[0], to = settled[LTTNG_GPU_LOST] + 1u + (what >> 5) * 2u;

		for (i = rank; i < (what & 31u); i += together)
			to_all[to + i] = settled[4u + i];
	}
}

LTTNG_GPU_INLINE void lttng_gpu_end(LTTNG_GPU_PRIVATE lttng_gpu_recorder *r)
{
	uint lanes = lttng_gpu_lanes(r), ended = 0u, rank = 0u, together = 1u;

	lttng_gpu_flush(r);
	r->count = 0u;
	LTTNG_GPU_SYNC(lanes);
	LTTNG_GPU_FENCE();
#ifdef LTTNG_GPU_WARPS
	rank = LTTNG_GPU_POPCOUNT(lanes & ((1u << LTTNG_GPU_LANE(r->id)) - 1u));
	together = LTTNG_GPU_POPCOUNT(lanes);
	if (!rank) {
		r->group[LTTNG_GPU_LOCAL_HEAD + LTTNG_GPU_WARP(r->id) * LTTNG_GPU_LOCAL_WARP + 2u] = lttng_gpu_time_low();
		LTTNG_GPU_FENCE();
		ended = LTTNG_GPU_ADD(r->group, together) + together;
	}
	ended = lttng_gpu_of_lane(ended, LTTNG_GPU_LOWEST(lanes), lanes);
#else
	ended = LTTNG_GPU_ADD(r->group, 1u) + 1u;
#endif
	if (ended == LTTNG_GPU_ITEMS()) {
		LTTNG_GPU_FENCE();
		lttng_gpu_write_group(r->group, r->buffer, rank, together, lanes);
	}
}

#endif
