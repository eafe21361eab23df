package dev.weir.partition.file;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.ParquetRuntimeException;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.statistics.IntStatistics;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * Reads a data file back in its order, under the table's schema of today: columns are found by id, so a column that the file lacks is null, one
 * that the schema lacks is left out, and whole numbers that became float64 are cast. Tags are the file's own: they are the series.
 *
 * <p>In memory is one row group as it is on disk, and a batch. Pages are checked against their checksums.
 */
public final class DataFileReader implements RowSource {
    /** Rows read before text is counted again. */
    private static final int STEP = 256;

    private final Path path;
    private final TableSchema schema;
    private final ParquetFileReader parquet;
    private final DataFileInfo info;
    private final MessageType requested;
    private final TagReader tags;
    private final List<FileFields> fields;
    private final RowBatch batch;
    private final long[] times = new long[STEP];
    private final int[] nanos = new int[STEP];
    private final long[] seqs = new long[STEP];
    private final long[] hashes = new long[STEP];
    private final SeriesGroups wanted;
    private int nextGroup;
    private @Nullable Group group;

    private DataFileReader(Path path, TableSchema schema, List<List<Tag>> series, ParquetFileReader parquet)
            throws IOException {
        this.path = path;
        this.schema = schema;
        this.parquet = parquet;
        FileMetaData footer = parquet.getFooter().getFileMetaData();
        this.info = FooterCodec.decode(footer.getKeyValueMetaData(), parquet.getRecordCount());
        if (info.tableId() != schema.tableId()) {
            throw new IOException("table " + info.tableId() + ", expected " + schema.tableId());
        }
        this.tags = new TagReader(info.columns().stream()
                .filter(column -> column.column().role() == ColumnRole.TAG)
                .toList());
        this.wanted = SeriesGroups.of(series, tags.columns());
        this.batch = new RowBatch(schema);
        this.fields = fields(info, batch);
        this.requested = requested(footer.getSchema());
        parquet.setRequestedSchema(requested);
    }

    /**
     * @param as a schema of the file's table, of the version that it was written under or a later one
     * @throws IOException the file is damaged, or no data file of this table; the message names it
     */
    public static DataFileReader open(Path path, TableSchema as) throws IOException {
        return open(path, as, List.of());
    }

    /**
     * As {@link #open(Path, TableSchema)}, without row groups that hold none of some series.
     *
     * @param series all are read where it is empty
     */
    public static DataFileReader open(Path path, TableSchema as, List<List<Tag>> series) throws IOException {
        ParquetReadOptions options = ParquetReadOptions.builder(new PlainParquetConfiguration())
                .withCodecFactory(new Codecs())
                .usePageChecksumVerification(true)
                .build();
        ParquetFileReader parquet = null;
        try {
            parquet = ParquetFileReader.open(new LocalInputFile(path), options);
            return new DataFileReader(path, as, series, parquet);
        } catch (IOException | RuntimeException e) {
            if (parquet != null) {
                parquet.close();
            }
            throw failed(path, e);
        }
    }

    public DataFileInfo info() {
        return info;
    }

    /** Whether the footer says that no row's time has nanoseconds below a microsecond. */
    public boolean wholeMicros() {
        return parquet.getFooter().getBlocks().stream()
                .flatMap(block -> block.getColumns().stream())
                .filter(chunk -> chunk.getPath().toDotString().equals(ColumnNames.TIME_NS))
                .allMatch(chunk -> isZero(chunk.getStatistics()));
    }

    private static boolean isZero(@Nullable Statistics<?> statistics) {
        return statistics instanceof IntStatistics rest
                && rest.hasNonNullValue()
                && rest.getMin() == 0
                && rest.getMax() == 0;
    }

    @Override
    public TableSchema schema() {
        return schema;
    }

    @Override
    public @Nullable RowBatch next() throws IOException {
        batch.clear();
        try {
            while (batch.rows() + STEP <= RowBatch.ROWS && !batch.full()) {
                if (group == null || group.left == 0) {
                    group = nextGroup();
                }
                if (group == null) {
                    break;
                }
                read(group, Math.min(STEP, group.left));
            }
        } catch (IOException | RuntimeException e) {
            throw failed(path, e);
        }
        return batch.rows() == 0 ? null : batch;
    }

    @Override
    public void close() throws IOException {
        parquet.close();
    }

    private interface Columns {
        ColumnPages of(String name) throws IOException;
    }

    /** Where reading stands in a row group. */
    private static final class Group {
        private final ColumnPages time;
        private final ColumnPages timeNs;
        private final ColumnPages seq;
        private final ColumnPages hash;
        private final List<ColumnPages> fields = new ArrayList<>();
        private int left;

        Group(Columns columns, List<FileFields> fields, int rows) throws IOException {
            this.time = columns.of(ColumnNames.TIME);
            this.timeNs = columns.of(ColumnNames.TIME_NS);
            this.seq = columns.of(ColumnNames.SEQ);
            this.hash = columns.of(ColumnNames.SERIES_HASH);
            for (FileFields field : fields) {
                this.fields.add(columns.of(field.name()));
            }
            this.left = rows;
        }
    }

    private @Nullable Group nextGroup() throws IOException {
        while (nextGroup < parquet.getRowGroups().size()
                && !wanted.mayHold(parquet.getRowGroups().get(nextGroup))) {
            parquet.skipNextRowGroup();
            nextGroup++;
        }
        nextGroup++;
        PageReadStore pages = parquet.readNextRowGroup();
        if (pages == null) {
            return null;
        }
        Columns columns = name -> {
            ColumnDescriptor column = requested.getColumnDescription(new String[] {name});
            return new ColumnPages(column, pages.getPageReader(column));
        };
        for (int i = 0; i < tags.columns().size(); i++) {
            tags.read(i, columns.of(tags.columns().get(i).name()));
        }
        return new Group(columns, fields, Math.toIntExact(pages.getRowCount()));
    }

    private void read(Group from, int rows) throws IOException {
        int start = batch.rows();
        longs(from.time, times, rows);
        ints(from.timeNs, nanos, rows);
        longs(from.seq, seqs, rows);
        longs(from.hash, hashes, rows);
        for (int i = 0; i < rows; i++) {
            batch.series(tags.next(), hashes[i]);
            batch.add(times[i] * 1000 + nanos[i], seqs[i]);
        }
        for (int i = 0; i < fields.size(); i++) {
            fields.get(i).read(from.fields.get(i), batch, start, start + rows);
        }
        from.left -= rows;
    }

    private static void longs(ColumnPages pages, long[] target, int rows) throws IOException {
        for (int row = 0; row < rows; ) {
            int end = row + pages.stretch(rows - row);
            ValuesReader reader = pages.values();
            for (; row < end; row++) {
                pages.next();
                target[row] = reader.readLong();
            }
        }
    }

    private static void ints(ColumnPages pages, int[] target, int rows) throws IOException {
        for (int row = 0; row < rows; ) {
            int end = row + pages.stretch(rows - row);
            ValuesReader reader = pages.values();
            for (; row < end; row++) {
                pages.next();
                target[row] = reader.readInteger();
            }
        }
    }

    private static List<FileFields> fields(DataFileInfo info, RowBatch batch) throws IOException {
        Map<Integer, FileColumn> byId = info.columns().stream()
                .collect(Collectors.toMap(column -> column.column().id(), Function.identity()));
        List<FileFields> fields = new ArrayList<>();
        for (int i = 0; i < batch.fieldColumns().size(); i++) {
            Column wanted = batch.fieldColumns().get(i);
            FileColumn found = byId.get(wanted.id());
            if (found != null) {
                if (!FileFields.canRead(found.column().type(), wanted.type())) {
                    throw new IOException("column " + wanted.name() + " is "
                            + found.column().type().wireName() + ", expected what becomes "
                            + wanted.type().wireName());
                }
                fields.add(new FileFields(i, found.name(), found.column().type(), wanted.type()));
            }
        }
        return fields;
    }

    private MessageType requested(MessageType file) {
        List<String> names = new ArrayList<>(
                List.of(ColumnNames.TIME, ColumnNames.TIME_NS, ColumnNames.SEQ, ColumnNames.SERIES_HASH));
        tags.columns().forEach(tag -> names.add(tag.name()));
        fields.forEach(field -> names.add(field.name()));
        List<Type> types = names.stream().map(file::getType).toList();
        return new MessageType(file.getName(), types);
    }

    private static IOException failed(Path path, Exception e) {
        if (e instanceof java.nio.channels.ClosedByInterruptException interrupted) {
            return interrupted;
        }
        boolean isOurs = e instanceof IOException || e instanceof ParquetRuntimeException;
        String kind = isOurs ? "" : e.getClass().getSimpleName() + ": ";
        return new IOException("data file " + path + ": " + kind + e.getMessage(), e);
    }
}
