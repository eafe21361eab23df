package dev.weir.partition.engine;

import dev.weir.partition.engine.TableBuffers.TableBuffer;
import dev.weir.partition.entry.StoredFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Adds up what each table has in files and buffers. Whoever calls holds the replica's lock. */
final class TableSizes {
    private TableSizes() {}

    static List<TableSize> of(PartitionState state) {
        Map<Integer, Long> buffered = new HashMap<>();
        for (TableBuffer buffer : state.buffers().all()) {
            buffered.put(buffer.tableId(), buffer.rows());
        }
        TreeSet<Integer> tables = new TreeSet<>(state.facts().tablesWithFiles());
        tables.addAll(buffered.keySet());
        List<TableSize> sizes = new ArrayList<>();
        for (int tableId : tables) {
            List<StoredFile> files = state.facts().files(tableId).files();
            sizes.add(new TableSize(
                    tableId,
                    files.size(),
                    files.stream().mapToLong(StoredFile::rows).sum(),
                    files.stream().mapToLong(StoredFile::bytes).sum(),
                    buffered.getOrDefault(tableId, 0L)));
        }
        return sizes;
    }
}
