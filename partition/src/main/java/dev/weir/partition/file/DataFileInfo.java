package dev.weir.partition.file;

import java.time.LocalDate;
import java.util.List;

/**
 * What the footer of a data file says.
 *
 * @param firstSeq the file stands for seqs from here
 * @param lastSeq to here, inclusive
 * @param day of all its rows, in UTC
 * @param columns tags and fields, ascending by id
 */
public record DataFileInfo(
        String tenant,
        String table,
        int tableId,
        int schemaVersion,
        int partition,
        long firstSeq,
        long lastSeq,
        LocalDate day,
        long rows,
        List<FileColumn> columns) {
    public DataFileInfo {
        columns = List.copyOf(columns);
    }
}
