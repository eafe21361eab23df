package dev.weir.cdc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Record batches of consecutive events of one partition; empty where no event passed the filter. */
record ArrowPage(int partition, long fromSeq, long nextSeq, List<Batch> batches) implements Page {
    /**
     * @param fromSeq where a reader stands that takes it
     * @param lastSeq of its last event
     * @param nextSeq where the reader stands then
     */
    record Batch(IpcBody body, long fromSeq, long lastSeq, long nextSeq) {}

    ArrowPage {
        batches = List.copyOf(batches);
    }

    @Override
    public boolean servesFrom(long seq) {
        return seq == fromSeq || batchAt(seq) != null;
    }

    /** The batch that begins where a reader stands; null where none does. */
    @Nullable
    Batch batchAt(long seq) {
        for (Batch batch : batches) {
            if (batch.fromSeq == seq) {
                return batch;
            }
        }
        return null;
    }

    @Override
    public long weight() {
        return 128
                + batches.stream().mapToLong(batch -> batch.body.weight() + 64).sum();
    }
}
