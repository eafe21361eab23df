package dev.weir.cdc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Record batches of consecutive events of one partition; empty where no event passed the filter. */
record ArrowPage(int partition, long fromSeq, long nextSeq, List<Batch> batches) implements Page {
    /**
     * @param dictionaries messages that go before it
     * @param fromSeq where a reader stands that takes it
     * @param lastSeq of its last event
     * @param nextSeq where the reader stands then
     */
    record Batch(IpcSchema schema, List<byte[]> dictionaries, IpcBody body, long fromSeq, long lastSeq, long nextSeq) {
        long weight() {
            return 96
                    + body.weight()
                    + dictionaries.stream()
                            .mapToLong(bytes -> bytes.length + 32L)
                            .sum();
        }
    }

    /** @param batches ascending */
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
        int low = 0;
        int high = batches.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (batches.get(middle).fromSeq < seq) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low < batches.size() && batches.get(low).fromSeq == seq ? batches.get(low) : null;
    }

    @Override
    public long weight() {
        return 128 + batches.stream().mapToLong(Batch::weight).sum();
    }
}
