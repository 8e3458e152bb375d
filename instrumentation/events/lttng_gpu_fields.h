/* SPDX-License-Identifier: MIT */
/*
 * Fields of events, for the providers of APIs; included anew by every stage of LTTng's macros, so there is no guard.
 *
 * LTTng's macros write every field by an indirect call of its own. Where the tracer packs fields without gaps, ours put
 * them into a piece on the stack first, which the tracer then copies at once (lttng_gpu_piece.h); LTTng's own describe,
 * measure and filter the fields in all other stages. The stage that writes is known by its lttng_ust__get_dynamic_len,
 * which nothing else defines; were it not there, LTTng would write the same fields one by one.
 */
#undef gpu_add
#undef gpu_integer
#undef gpu_integer_hex
#undef gpu_enum
#undef gpu_string
#undef gpu_sequence
#undef gpu_sequence_hex
#undef gpu_fields
#undef gpu_enum_of
#if defined(lttng_ust__get_dynamic_len) && !defined(LTTNG_UST_RING_BUFFER_NATURAL_ALIGN)
#define gpu_add(_src, _bytes)                                                                          \
	lttng_gpu_add_to_piece(__chan->ops->event_write, &__ctx, __piece, &__used, (_src), (_bytes))
#define gpu_integer(_type, _item, _src)                                                                \
	{                                                                                              \
		_type __value = (_src);                                                                \
		gpu_add(&__value, sizeof(__value));                                                    \
	}
#define gpu_integer_hex(_type, _item, _src) gpu_integer(_type, _item, _src)
#define gpu_enum(_name, _type, _item, _src) gpu_integer(_type, _item, _src)
#define gpu_string(_item, _src)                                                                        \
	{                                                                                              \
		gpu_add((_src), __stackvar.__dynamic_len[__dynamic_len_idx++] - 1);                    \
		gpu_add("", 1);                                                                        \
	}
#define gpu_sequence(_type, _item, _src, _count)                                                       \
	{                                                                                              \
		uint32_t __length = __stackvar.__dynamic_len[__dynamic_len_idx++];                     \
                                                                                                       \
		gpu_add(&__length, sizeof(__length));                                                  \
		gpu_add((_src), __length * sizeof(_type));                                             \
	}
#define gpu_sequence_hex(_type, _item, _src, _count) gpu_sequence(_type, _item, _src, _count)
#define gpu_fields(...)                                                                                \
	LTTNG_UST_TP_FIELDS({                                                                          \
		char __piece[LTTNG_GPU_PIECE_BYTES];                                                   \
		size_t __used = 0;                                                                     \
                                                                                                       \
		__VA_ARGS__                                                                            \
		__chan->ops->event_write(&__ctx, __piece, __used, 1);                                  \
	})
#else
#define gpu_integer(_type, _item, _src) lttng_ust_field_integer(_type, _item, _src)
#define gpu_integer_hex(_type, _item, _src) lttng_ust_field_integer_hex(_type, _item, _src)
/* The provider's name is a macro: one more step before LTTng's macros join it with others. */
#define gpu_enum(_name, _type, _item, _src)                                                            \
	gpu_enum_of(LTTNG_UST_TRACEPOINT_PROVIDER, _name, _type, _item, _src)
#define gpu_enum_of(_provider, _name, _type, _item, _src)                                              \
	lttng_ust_field_enum(_provider, _name, _type, _item, _src)
#define gpu_string(_item, _src) lttng_ust_field_string(_item, _src)
#define gpu_sequence(_type, _item, _src, _count) lttng_ust_field_sequence(_type, _item, _src, uint32_t, _count)
#define gpu_sequence_hex(_type, _item, _src, _count)                                                   \
	lttng_ust_field_sequence_hex(_type, _item, _src, uint32_t, _count)
#define gpu_fields(...) LTTNG_UST_TP_FIELDS(__VA_ARGS__)
#endif
