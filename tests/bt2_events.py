# SPDX-License-Identifier: MIT
"""Events of a trace as babeltrace2's Python module reads them."""


class Event(dict):
    """The fields of one event; labels of enumerations as text."""

    def __init__(self, name, at, fields):
        super().__init__(fields)
        self.name, self.at = name, at


def plain(field):
    import bt2
    if isinstance(field, (bt2._UnsignedEnumerationFieldConst, bt2._SignedEnumerationFieldConst)):
        return next(iter(field.labels), int(field))
    if isinstance(field, bt2._StringFieldConst):
        return str(field)
    if isinstance(field, bt2._ArrayFieldConst):
        return [plain(element) for element in field]
    return int(field)


def payload(event):
    """Without the lengths of its lists."""
    return {name: plain(field) for name, field in event.payload_field.items() if not name.startswith("_")}


def events_of(folder, provider):
    """(event, its name without the provider's, its time in nanoseconds) of each that is the provider's, in order."""
    import bt2
    for message in bt2.TraceCollectionMessageIterator(str(folder)):
        if type(message) is bt2._EventMessageConst and message.event.name.startswith(provider):
            yield message.event, message.event.name.removeprefix(provider), message.default_clock_snapshot.value
