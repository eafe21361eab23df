package dev.weir.cdc;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.jspecify.annotations.Nullable;

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
    private @Nullable BatchMaker maker;

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
        long next = page.nextSeq();
        try {
            for (ChangeBatch changes : wanted) {
                if (!fill(changes, fromSeq)) {
                    next = last + 1;
                    break;
                }
            }
            if (maker != null && maker.rowCount() > 0) {
                cut(maker, next);
            }
            return new ArrowPage(partition, fromSeq, next, batches);
        } catch (OutOfMemoryException e) {
            throw new IllegalStateException(
                    "partition " + partition + " from seq " + fromSeq
                            + ": expected record batches in the making to fit into "
                            + allocator.getLimit() + " bytes off the heap, found " + allocator.getAllocatedMemory()
                            + " taken and more wanted: ask for fewer max_rows, or lower cdc.arrow-batch-bytes",
                    e);
        } finally {
            if (maker != null) {
                maker.close();
            }
        }
    }

    /** False where the page is full: what comes after {@link #last} is for the next. */
    private boolean fill(ChangeBatch changes, long fromSeq) {
        BatchRows rows = new BatchRows(changes, form.key());
        BatchMaker making = maker(changes);
        for (int row = (int) Math.max(0, fromSeq - changes.firstSeq()); row < changes.count(); row++) {
            if (!rows.moveTo(row)) {
                continue;
            }
            making.add(rows, row);
            last = changes.firstSeq() + row;
            if (making.rowCount() >= form.rowsMax() || making.byteCount() >= batchBytes) {
                pageBytes += making.byteCount();
                cut(making, last + 1);
                if (pageBytes >= CdcConfig.ARROW_PAGE_BATCHES * (long) batchBytes) {
                    return false;
                }
            }
        }
        return true;
    }

    /** One that takes these changes; what was gathered under another schema is a batch of its own. */
    private BatchMaker maker(ChangeBatch changes) {
        BatchMaker current = maker;
        if (current != null && !current.takes(changes)) {
            if (current.rowCount() > 0) {
                pageBytes += current.byteCount();
                cut(current, last + 1);
            }
            current.close();
            current = null;
        }
        if (current == null) {
            int rowsMost =
                    batchBytes / (Long.BYTES * (1 + changes.schema().columns().size()));
            int rows = Math.min(
                    Math.min(changes.count(), Math.max(1, rowsMost)), Math.min(form.rowsMax(), ROWS_FIRST_MAX));
            current = form.layout().maker(changes, form.isZstd(), rows, allocator);
        }
        maker = current;
        current.begin(changes);
        return current;
    }

    private void cut(BatchMaker making, long next) {
        BatchMaker.Made made = making.make();
        batches.add(new ArrowPage.Batch(making.schema(), made.dictionaries(), made.body(), from, last, next));
        from = next;
    }
}
