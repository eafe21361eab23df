package dev.weir.partition.entry;

/** Where a batch's first event stands, and when it was committed. */
record RecordPlace(int partition, long firstSeq, long committedAtNanos) {
    RecordPlace after(int events) {
        return new RecordPlace(partition, firstSeq + events, committedAtNanos);
    }
}
