package dev.weir.partition.check;

import dev.weir.partition.model.SeriesKey;

/** A point: series and timestamp. */
public record PointKey(SeriesKey series, long timestampNanos) {}
