package dev.weir.cdc;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;

/**
 * Events of a partition that were put into a converter.
 *
 * @param rows how many
 */
record ConvertedPage(int partition, long nextSeq, int rows) implements Page {
    /** Empties the converter and fills it with events from a seq on that pass the filter, until it has enough. */
    static ConvertedPage of(
            CdcBatchConverter converter, RunKey key, Bounds bounds, int partition, long fromSeq, FeedPage page) {
        converter.clear();
        for (ChangeBatch batch : page.batches()) {
            if (!key.filter().matches(batch)) {
                continue;
            }
            BatchRows rows = new BatchRows(batch, key);
            for (int row = (int) Math.max(0, fromSeq - batch.firstSeq()); row < batch.count(); row++) {
                if (!rows.moveTo(row)) {
                    continue;
                }
                converter.add(rows);
                if (converter.rowCount() >= bounds.rows || converter.byteCount() >= bounds.bytes) {
                    return new ConvertedPage(partition, rows.seq() + 1, converter.rowCount());
                }
            }
        }
        return new ConvertedPage(partition, page.nextSeq(), converter.rowCount());
    }

    /** Of a batch; one row may pass the bytes. */
    record Bounds(int rows, long bytes) {}

    @Override
    public boolean servesFrom(long seq) {
        return false;
    }

    @Override
    public long weight() {
        return 0;
    }
}
