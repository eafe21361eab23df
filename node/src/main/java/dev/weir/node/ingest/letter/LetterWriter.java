package dev.weir.node.ingest.letter;

import dev.weir.node.ingest.Awaiting;
import dev.weir.node.ingest.rows.NameCaches;
import dev.weir.node.ingest.rows.OwnRows;
import dev.weir.node.ingest.rows.OwnRows.OwnRow;
import dev.weir.node.ingest.write.RowReport;
import dev.weir.node.ingest.write.RowWriter;
import dev.weir.node.ingest.write.WriteOrder;
import dev.weir.node.ingest.write.WriteResult;
import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes letters as rows of their table, which it makes where it is missing. Blocks; any thread. */
public final class LetterWriter {
    /** Characters of texts that go by one write, about. */
    private static final int BYTES_AT_ONCE = 4 << 20;

    private final Catalog catalog;
    private final RowWriter writer;
    private final NameCaches caches;
    private final String node;
    private final LetterClock clock = new LetterClock();

    /** How texts are read again, see {@link LetterForm}. */
    public record Form(String format, String parameters) {}

    /**
     * @param writer by which other rows go, too
     * @param node this node's id
     */
    public LetterWriter(Catalog catalog, RowWriter writer, NameCaches caches, String node) {
        this.catalog = catalog;
        this.writer = writer;
        this.caches = caches;
        this.node = node;
    }

    String node() {
        return node;
    }

    /** Times for so many letters, that no other letter of this node has; returns the first. */
    long times(int letters, long nowNanos) {
        return clock.take(letters, nowNanos);
    }

    /** Names letters, by times that no other letter of this node has and that follow each other. */
    public List<LetterKey> keys(List<Letter> letters, long nowNanos) {
        long first = times(letters.size(), nowNanos);
        List<LetterKey> keys = new ArrayList<>(letters.size());
        for (int i = 0; i < letters.size(); i++) {
            keys.add(new LetterKey(first + i, node, letters.get(i).code()));
        }
        return keys;
    }

    /**
     * Keeps all letters.
     *
     * @param keys theirs, of {@link #keys}
     * @throws RefusedException one of them at least may not be kept; others may be
     */
    public void keep(String tenant, List<Letter> letters, List<LetterKey> keys, Form form) throws InterruptedException {
        for (int from = 0; from < letters.size(); ) {
            int to = end(letters, from);
            WriteResult result = write(order(
                    tenant, letters.subList(from, to), form, keys.get(from).timeNanos(), null));
            if (result.rows().accepted() < to - from) {
                RowReport.Listed why = result.rows().listed().getFirst();
                throw new RefusedException(Refusal.of(
                        why.code(), "a row could not be kept in " + LetterTable.NAME + ": " + why.message()));
            }
            from = to;
        }
    }

    private static int end(List<Letter> letters, int from) {
        int to = from;
        for (long bytes = 0; to < letters.size() && to - from < RowReport.KEPT_MAX && bytes < BYTES_AT_ONCE; to++) {
            bytes += letters.get(to).bytes();
        }
        return to;
    }

    /** @param firstNanos time of the first letter; each has one of its own */
    WriteOrder order(
            String tenant,
            List<Letter> letters,
            Form form,
            long firstNanos,
            WriteOrder.@Nullable Idempotency idempotency) {
        List<OwnRow> rows = new ArrayList<>(letters.size());
        for (int i = 0; i < letters.size(); i++) {
            rows.add(LetterTable.row(letters.get(i), firstNanos + i, node, form.format, form.parameters));
        }
        return new WriteOrder(
                tenant, () -> new OwnRows(LetterTable.NAME, rows, caches, tenant), firstNanos, idempotency);
    }

    /** @throws RefusedException the table could not be made */
    WriteResult write(WriteOrder order) throws InterruptedException {
        if (catalog.image().table(order.tenant(), LetterTable.NAME).isEmpty()) {
            Awaiting.await(catalog.propose(LetterTable.definition(order.tenant())));
        }
        return writer.write(order);
    }
}
