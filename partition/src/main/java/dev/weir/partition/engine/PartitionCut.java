package dev.weir.partition.engine;

import dev.weir.partition.entry.StoredFile;
import dev.weir.partition.model.TableSchema;
import java.util.List;

/**
 * Tables of one partition at one point of its log, by what they can be read from again: files, deletes in force, and the log from {@link #fromSeq} on. Who
 * keeps these (a lease does) reads the same rows anywhere, as often as wanted.
 *
 * @param cutSeq every event before it is reflected, none from it on
 * @param tables ascending by id
 */
public record PartitionCut(int partition, long cutSeq, List<Table> tables) {
    public PartitionCut {
        tables = List.copyOf(tables);
    }

    /**
     * @param schema none of the files is newer
     * @param throughSeq every event of the table before it is in the files, as far as a delete does not reach beyond them
     * @param files in order of flush
     * @param deletes that a file may not reflect
     */
    public record Table(TableSchema schema, long throughSeq, List<StoredFile> files, List<DeleteRule> deletes) {
        public Table {
            files = List.copyOf(files);
            deletes = List.copyOf(deletes);
        }
    }

    /** The same without rows that are in the log alone. */
    public PartitionCut filesAlone() {
        return new PartitionCut(
                partition,
                cutSeq,
                tables.stream()
                        .map(table -> new Table(table.schema(), cutSeq, table.files(), table.deletes()))
                        .toList());
    }

    /** The log is needed from here on. */
    public long fromSeq() {
        return tables.stream().mapToLong(Table::throughSeq).reduce(cutSeq, Math::min);
    }
}
