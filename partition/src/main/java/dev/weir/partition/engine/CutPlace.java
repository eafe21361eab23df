package dev.weir.partition.engine;

/**
 * Where a partition was cut.
 *
 * @param fromSeq the log is needed from here on
 * @param cutSeq every event before it is in the cut, none from it on
 */
public record CutPlace(int partition, long fromSeq, long cutSeq) {}
