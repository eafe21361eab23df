package dev.weir.cdc;

/** Seqs of a partition, both among them, whose events files no longer have: overwritten, deleted, or not of what the stream carries. */
record CompactedSeqs(int partition, long first, long last) {
    String json(boolean int64AsString) {
        String quote = int64AsString ? "\"" : "";
        return "{\"partition\":" + partition + ",\"first_seq\":" + quote + first + quote + ",\"last_seq\":" + quote + last
                + quote + ",\"count\":" + (last - first + 1) + ",\"reason\":\"compacted\"}";
    }
}
