package dev.weir.partition.read;

import java.util.List;

/**
 * What one partition answers.
 *
 * @param nextSeq the cut: every event before it is reflected, none from it on
 */
public record ReadResult(int partition, long nextSeq, List<SeriesRow> rows) {}
