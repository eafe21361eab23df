package dev.weir.node.image;

import dev.weir.node.internal.ImageQuery;
import dev.weir.node.internal.PartitionTables;
import dev.weir.partition.engine.PartitionImage;
import dev.weir.partition.engine.PartitionReplica;
import dev.weir.partition.engine.TableImage;
import dev.weir.partition.file.RowSource;
import dev.weir.partition.model.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/** Takes images of this node's replicas, ready to travel. Any thread; blocks on the disk. */
public final class PartitionImages {
    private final BufferAllocator allocator;
    private final long bufferBytesMax;

    /** @param bufferBytesMax {@code sql.buffer-bytes-max}: buffered rows of one table in one partition, as Arrow */
    public PartitionImages(BufferAllocator allocator, long bufferBytesMax) {
        this.allocator = allocator;
        this.bufferBytesMax = bufferBytesMax;
    }

    /**
     * @throws dev.weir.partition.model.RefusedException the replica is closed, or more rows are buffered than may travel
     * @throws IOException a segment can't be read
     */
    public PartitionTables take(PartitionReplica replica, ImageQuery query) throws IOException {
        List<PartitionImage.Need> needs = query.tables().stream()
                .map(table -> new PartitionImage.Need(table.tableId(), table.pick(), table.newest()))
                .toList();
        PartitionImage image = replica.image(needs);
        List<Optional<PartitionTables.Rows>> tables = new ArrayList<>();
        for (int i = 0; i < needs.size(); i++) {
            Optional<TableImage> table = image.tables().get(i);
            tables.add(
                    table.isEmpty()
                            ? Optional.empty()
                            : Optional.of(
                                    rows(table.get(), query.tables().get(i).columns())));
        }
        return new PartitionTables(image.partition(), image.nextSeq(), tables);
    }

    private PartitionTables.Rows rows(TableImage table, List<Integer> wanted) throws IOException {
        List<Column> columns = table.schema().columns().stream()
                .filter(column -> wanted.contains(column.id()))
                .toList();
        boolean any = table.bufferedRows() > 0;
        byte[] arrow = {};
        if (any) {
            try (RowSource rows = table.rows(table.schema())) {
                arrow = BufferArrow.write(allocator, rows, columns, bufferBytesMax);
            }
        }
        return new PartitionTables.Rows(
                table.files(),
                new PartitionTables.Skipped(
                        table.filesOutOfTime(), table.filesWithoutSeries(), table.filesOlderThanNewest()),
                table.deletes(),
                new PartitionTables.Buffered(
                        table.bufferedRows(),
                        any ? table.minTimestampNanos() : 0,
                        any ? table.maxTimestampNanos() : 0,
                        table.maxSeq(),
                        table.repeats(),
                        columns.stream().map(Column::id).toList(),
                        arrow));
    }
}
