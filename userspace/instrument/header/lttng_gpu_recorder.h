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
 * Table, for lanes with trip counts of their own: 2047 << 20 | bytes of each << 16 | location; lanes;
 * the counts, one after the other. With times each has the time's low word last, of a table third.
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
#define LTTNG_GPU_NONE 0x1fffffu
#define LTTNG_GPU_NOTHING 2047u /* a location that is none; of a table */
#define LTTNG_GPU_LOCAL_HEAD 4u /* words of a work-group: work-items that ended, time of its begin */
#define LTTNG_GPU_LOCAL_WARP 32u /* words of a warp: cursor, begin, end, words before its chunks, records, records lost */
#define LTTNG_GPU_STAGE 27u
#define LTTNG_GPU_LOST 31u

#ifndef __cplusplus /* lttng_gpu_device.h has these for CUDA C++ */
#define LTTNG_GPU_GLOBAL volatile __global
#define LTTNG_GPU_LOCAL volatile __local
#define LTTNG_GPU_PRIVATE __private
#ifdef LTTNG_GPU_WARPS /* after a call that is none of these, lanes do not come together again */
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
#define lttng_gpu_lanes(r) lttng_gpu_active()
#define LTTNG_GPU_TOGETHER() lttng_gpu_active()
/* Whether this lane is the lowest of these. */
#define LTTNG_GPU_LEADS(r, lanes) (((lanes) & (0u - (lanes))) == (1u << ((r)->id & 31u)))
#define LTTNG_GPU_WARP(id) ((id) >> 5)
#define LTTNG_GPU_LANE(id) ((id) & 31u)
#define LTTNG_GPU_WARPS_OF(items) (((items) + 31u) / 32u)
#else
/* No warps are known of: each work-item is its own, and its number stands for the lanes. */
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
	uint chunk = buffer[0] < buffer[1] ? LTTNG_GPU_ADD(buffer, chunks) : LTTNG_GPU_NONE;
	LTTNG_GPU_GLOBAL uint *head;

	if (chunk >= buffer[1] || chunk + chunks > buffer[1])
		return LTTNG_GPU_NONE;
	head = buffer + (chunk + 1u) * LTTNG_GPU_CHUNK;
	head[0] = LTTNG_GPU_GROUP();
	head[1] = what | lttng_gpu_place() << 16;
	head[2] = time_low;
	head[3] = time_high;
	return chunk;
}

/* Where so many words go: a place in the stage below LTTNG_GPU_STAGE, else one in the buffer; LTTNG_GPU_NONE: nowhere. */
LTTNG_GPU_INLINE uint lttng_gpu_reserve(LTTNG_GPU_LOCAL uint *warp, LTTNG_GPU_GLOBAL uint *buffer, uint id, uint words)
{
	uint cursor = warp[0], used, chunk;

	(void)id;
	if (cursor != ~0u)
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
		LTTNG_GPU_SWAP(warp, chunk == LTTNG_GPU_NONE ? ~0u : chunk << 11 | words);
	}
	if (chunk == LTTNG_GPU_NONE) {
		LTTNG_GPU_ADD(warp + LTTNG_GPU_LOST, 1u);
		return LTTNG_GPU_NONE;
	}
	return chunk ? chunk * LTTNG_GPU_CHUNK + LTTNG_GPU_HEAD + used : used;
}

LTTNG_GPU_INLINE void lttng_gpu_store(LTTNG_GPU_LOCAL uint *warp, LTTNG_GPU_GLOBAL uint *buffer, uint where, uint value)
{
	if (where < LTTNG_GPU_STAGE)
		warp[4u + where] = value;
	else
		buffer[where] = value;
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
		if (where == LTTNG_GPU_NONE)
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
/* Lanes that left their loop after passes of their own: one record with the count of each. */
LTTNG_GPU_RARE void lttng_gpu_table(LTTNG_GPU_LOCAL uint *warp, LTTNG_GPU_GLOBAL uint *buffer, uint id, uint location, uint lanes,
				    uint trips, uint time)
{
	uint bytes = !lttng_gpu_where(trips > 0xffu, lanes) ? 1u : !lttng_gpu_where(trips > 0xffffu, lanes) ? 2u : 4u;
	uint head = 2u + LTTNG_GPU_TIME_WORDS, leader = LTTNG_GPU_LOWEST(lanes), where = 0u, rank;

	(void)time;
	if (LTTNG_GPU_LANE(id) == leader) {
		where = lttng_gpu_reserve(warp, buffer, id, head + (LTTNG_GPU_POPCOUNT(lanes) * bytes + 3u) / 4u);
		if (where != LTTNG_GPU_NONE) {
			lttng_gpu_store(warp, buffer, where, LTTNG_GPU_NOTHING << 20 | bytes << 16 | location);
			lttng_gpu_store(warp, buffer, where + 1u, lanes);
#ifdef LTTNG_GPU_TIMES
			lttng_gpu_store(warp, buffer, where + 2u, time);
#endif
		}
	}
	where = lttng_gpu_of_lane(where, leader, lanes);
	if (where == LTTNG_GPU_NONE)
		return;
	where += head;
	rank = LTTNG_GPU_POPCOUNT(lanes & ((1u << LTTNG_GPU_LANE(id)) - 1u));
	if (bytes == 4u) {
		lttng_gpu_store(warp, buffer, where + rank, trips);
	} else if (bytes == 2u) {
		if (where < LTTNG_GPU_STAGE)
			((LTTNG_GPU_LOCAL ushort *)(warp + 4u + where))[rank] = (ushort)trips;
		else
			((LTTNG_GPU_GLOBAL ushort *)(buffer + where))[rank] = (ushort)trips;
	} else if (where < LTTNG_GPU_STAGE) {
		((LTTNG_GPU_LOCAL uchar *)(warp + 4u + where))[rank] = (uchar)trips;
	} else {
		((LTTNG_GPU_GLOBAL uchar *)(buffer + where))[rank] = (uchar)trips;
	}
}
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
					r->id, location, lanes, trips, time);
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
}

LTTNG_GPU_INLINE void lttng_gpu_begin(LTTNG_GPU_PRIVATE lttng_gpu_recorder *r, LTTNG_GPU_LOCAL uint *group,
				      LTTNG_GPU_GLOBAL uint *buffer)
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
}

/* Words of the record that begins with `what`. */
LTTNG_GPU_INLINE uint lttng_gpu_length(uint what, uint lanes)
{
	if (what >> 31)
		return 1u + LTTNG_GPU_TIME_WORDS;
	if (what >> 20 != LTTNG_GPU_NOTHING)
		return 2u + LTTNG_GPU_TIME_WORDS;
	return 2u + LTTNG_GPU_TIME_WORDS + (LTTNG_GPU_POPCOUNT(lanes) * (what >> 16 & 15u) + 3u) / 4u;
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

/* The records of all warps of the work-group, by the last of its work-items: `rank` of `together`. */
LTTNG_GPU_RARE void lttng_gpu_write_group(LTTNG_GPU_LOCAL uint *group, LTTNG_GPU_GLOBAL uint *buffer, uint rank, uint together, uint lanes)
{
	uint warps = LTTNG_GPU_WARPS_OF(LTTNG_GPU_ITEMS()), total = LTTNG_GPU_HEAD, chunk = 0u, number, i;
	LTTNG_GPU_LOCAL uint *warp = group + LTTNG_GPU_LOCAL_HEAD;
	LTTNG_GPU_GLOBAL uint *head = buffer;

	(void)lanes;
	for (number = 0u; number < warps; ++number, warp += LTTNG_GPU_LOCAL_WARP)
		total += 1u + 2u * lttng_gpu_is_wide(group, warp) + lttng_gpu_staged(warp);
	if (!rank)
		chunk = lttng_gpu_take(buffer, (total + LTTNG_GPU_CHUNK - 1u) / LTTNG_GPU_CHUNK, 1u << 8 | (warps - 1u), group[1],
				       group[2]);
#ifdef LTTNG_GPU_WARPS
	chunk = lttng_gpu_of_lane(chunk, LTTNG_GPU_LOWEST(lanes), lanes);
#endif
	warp = group + LTTNG_GPU_LOCAL_HEAD;
	if (chunk != LTTNG_GPU_NONE)
		buffer += (chunk + 1u) * LTTNG_GPU_CHUNK + LTTNG_GPU_HEAD;
	else if (rank)
		return;
	for (number = 0u; number < warps; ++number, warp += LTTNG_GPU_LOCAL_WARP) {
		uint words = lttng_gpu_staged(warp), is_wide = lttng_gpu_is_wide(group, warp), lost = warp[LTTNG_GPU_LOST];

		if (chunk == LTTNG_GPU_NONE) {
			for (i = 0u; i < words; i += lttng_gpu_length(warp[4u + i], warp[5u + i]))
				++lost;
		}
		if (lost && !rank)
			LTTNG_GPU_ADD(head + 2, lost);
		if (chunk == LTTNG_GPU_NONE)
			continue;
		if (!rank) {
			buffer[0] = words | is_wide << 5 | (warp[3] >> 31) << 6 |
				    (is_wide ? 0u : (warp[1] - group[1]) << 7 | (warp[2] - warp[1]) << 16);
			if (is_wide) {
				buffer[1] = warp[1];
				buffer[2] = warp[2];
			}
		}
		buffer += is_wide ? 3u : 1u;
		for (i = rank; i < words; i += together)
			buffer[i] = warp[4u + i];
		buffer += words;
	}
}

LTTNG_GPU_INLINE void lttng_gpu_end(LTTNG_GPU_PRIVATE lttng_gpu_recorder *r)
{
	uint lanes, ended = 0u, rank = 0u, together = 1u;

	lttng_gpu_flush(r);
	r->count = 0u;
	LTTNG_GPU_FENCE();
	lanes = lttng_gpu_lanes(r);
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
