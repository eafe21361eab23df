package dev.weir.partition.engine;

import dev.weir.partition.engine.PartitionImage.Need;
import dev.weir.wal.segment.SeqTrimmedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes images of one replica: the cut under its lock, the buffered rows from the segments after it. Used by one thread; blocks on the disk. */
final class ImageReader {
    /** A flush and a trim may overtake a read; each try begins at a newer cut. */
    private static final int ATTEMPTS = 5;

    private final int partition;
    private final OpenReplica replica;

    ImageReader(int partition, OpenReplica replica) {
        this.partition = partition;
        this.replica = replica;
    }

    PartitionImage read(List<Need> needs) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return tryRead(needs);
            } catch (SeqTrimmedException e) {
                if (attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private PartitionImage tryRead(List<Need> needs) throws IOException {
        TableCuts.Cut cut = replica.cuts().of(needs);
        List<Optional<TableImage>> images = new ArrayList<>();
        for (int i = 0; i < needs.size(); i++) {
            TableCut table = cut.tables().get(i).orElse(null);
            images.add(
                    table == null
                            ? Optional.empty()
                            : Optional.of(
                                    image(table, needs.get(i), cut.newest().get(i))));
        }
        return new PartitionImage(partition, cut.nextSeq(), images);
    }

    private TableImage image(TableCut table, Need need, long @Nullable [] newest) throws IOException {
        BufferedRows rows = newest == null
                ? null
                : BufferedRows.readEach(
                        partition, replica.segments(), replica.definitions(), need.tableId(), need.pick(), newest);
        if (rows != null) {
            return new TableImage(table.schema(), table.files(), need.pick(), TableImage.Source.NEWEST, rows);
        }
        // Asked after the cut: a series that came since does no harm.
        boolean anySeries = replica.cuts().mayHaveSeries(need.tableId(), need.pick());
        long from =
                !anySeries ? table.nextSeq() : Math.max(table.files().flushedThrough() + 1, table.firstBufferedSeq());
        BufferedRows buffer = BufferedRows.read(
                partition,
                replica.segments(),
                replica.definitions(),
                need.tableId(),
                need.pick(),
                Math.min(from, table.nextSeq()),
                table.nextSeq(),
                Integer.MAX_VALUE);
        return new TableImage(
                table.schema(),
                table.files(),
                need.pick(),
                anySeries ? TableImage.Source.ALL : TableImage.Source.NO_SERIES,
                buffer);
    }
}
