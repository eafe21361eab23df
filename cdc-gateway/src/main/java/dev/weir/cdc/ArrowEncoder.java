package dev.weir.cdc;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Makes record batches of the events of a page that pass a filter. For one page. */
final class ArrowEncoder implements PageEncoder<ArrowPage> {
    private static final int ROWS_FIRST_MAX = 8_192;

    private final ArrowForm form;
    private final int batchBytes;
    private final BufferAllocator allocator;
    private final List<ArrowPage.Batch> batches = new ArrayList<>();
    private long from;
    private long last;
    private long pageBytes;

    /** @param batchBytes a batch is cut behind the event that takes it there; a page behind a few such batches */
    ArrowEncoder(ArrowForm form, int batchBytes, BufferAllocator allocator) {
        this.form = form;
        this.batchBytes = batchBytes;
        this.allocator = allocator;
    }

    @Override
    public ArrowPage encode(int partition, long fromSeq, FeedPage page) {
        List<ChangeBatch> wanted =
                page.batches().stream().filter(form.key().filter()::matches).toList();
        from = fromSeq;
        if (wanted.isEmpty()) {
            return new ArrowPage(partition, fromSeq, page.nextSeq(), List.of());
        }
        int rows = wanted.stream().mapToInt(ChangeBatch::count).sum();
        try (CdcBatchConverter converter = new CdcBatchConverter(
                allocator, form.layout(), Math.min(rows, Math.min(form.rowsMax(), ROWS_FIRST_MAX)))) {
            long next = page.nextSeq();
            for (ChangeBatch batch : wanted) {
                if (!fill(converter, batch, fromSeq)) {
                    next = last + 1;
                    break;
                }
            }
            if (converter.rowCount() > 0) {
                cut(converter, next);
            }
            return new ArrowPage(partition, fromSeq, next, batches);
        }
    }

    /** False where the page is full: what comes after {@link #last} is for the next. */
    private boolean fill(CdcBatchConverter converter, ChangeBatch batch, long fromSeq) {
        BatchRows rows = new BatchRows(batch, form.key());
        for (int row = (int) Math.max(0, fromSeq - batch.firstSeq()); row < batch.count(); row++) {
            if (!rows.moveTo(row)) {
                continue;
            }
            converter.add(rows);
            last = rows.seq();
            if (converter.rowCount() >= form.rowsMax() || converter.byteCount() >= batchBytes) {
                pageBytes += converter.byteCount();
                cut(converter, last + 1);
                if (pageBytes >= CdcConfig.ARROW_PAGE_BATCHES * (long) batchBytes) {
                    return false;
                }
            }
        }
        return true;
    }

    private void cut(CdcBatchConverter converter, long next) {
        IpcBody body = IpcBody.of(converter.batch().getFieldVectors(), converter.rowCount(), form.isZstd(), allocator);
        batches.add(new ArrowPage.Batch(body, from, last, next));
        from = next;
        converter.clear();
    }
}
