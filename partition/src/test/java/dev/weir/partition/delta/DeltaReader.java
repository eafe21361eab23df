package dev.weir.partition.delta;

import dev.weir.partition.store.ObjectStore;
import io.delta.kernel.Scan;
import io.delta.kernel.Snapshot;
import io.delta.kernel.TableManager;
import io.delta.kernel.data.ColumnarBatch;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.engine.FileReadResult;
import io.delta.kernel.expressions.Predicate;
import io.delta.kernel.internal.InternalScanFileUtils;
import io.delta.kernel.internal.data.ScanStateRow;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.types.BooleanType;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.DateType;
import io.delta.kernel.types.DecimalType;
import io.delta.kernel.types.DoubleType;
import io.delta.kernel.types.IntegerType;
import io.delta.kernel.types.StringType;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** Reads a published table by Delta Kernel: rows as maps, in which {@code nanos} is the exact time and what is null is left out. */
public final class DeltaReader {
    private final Engine engine;
    private final String table;

    private DeltaReader(Engine engine, String table) {
        this.engine = engine;
        this.table = table;
    }

    /** By Kernel's own engine on Hadoop's file system. */
    public static DeltaReader ofFolder(Path table) {
        return new DeltaReader(DefaultEngine.create(new Configuration()), table.toString());
    }

    /** Through our store. */
    public static DeltaReader ofStore(ObjectStore store, String prefix, Path temporary) {
        return new DeltaReader(
                new StoreEngine(store, temporary), StoreFileIO.path(prefix.substring(0, prefix.length() - 1)));
    }

    public Snapshot snapshot() {
        return TableManager.loadSnapshot(table).build(engine);
    }

    public Snapshot snapshot(long version) {
        return TableManager.loadSnapshot(table).atVersion(version).build(engine);
    }

    public List<Map<String, Object>> rows() throws IOException {
        return rows(snapshot(), Optional.empty());
    }

    public List<Map<String, Object>> rows(Snapshot snapshot, Optional<Predicate> filter) throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        Scan scan = filter.map(predicate -> snapshot.getScanBuilder().withFilter(predicate))
                .orElseGet(snapshot::getScanBuilder)
                .build();
        Row state = scan.getScanState(engine);
        for (Row file : files(scan)) {
            FileStatus status = InternalScanFileUtils.getAddFileStatus(file);
            try (CloseableIterator<FileReadResult> read = engine.getParquetHandler()
                            .readParquetFiles(
                                    Utils.singletonCloseableIterator(status),
                                    ScanStateRow.getPhysicalDataReadSchema(state),
                                    Optional.empty());
                    CloseableIterator<ColumnarBatch> batches = read.map(FileReadResult::getData);
                    CloseableIterator<FilteredColumnarBatch> logical =
                            Scan.transformPhysicalData(engine, state, file, batches)) {
                while (logical.hasNext()) {
                    take(logical.next(), rows);
                }
            }
        }
        return rows;
    }

    /** Data files that a scan has to read. */
    public List<Row> files(Scan scan) throws IOException {
        List<Row> files = new ArrayList<>();
        try (CloseableIterator<FilteredColumnarBatch> batches = scan.getScanFiles(engine)) {
            while (batches.hasNext()) {
                try (CloseableIterator<Row> rows = batches.next().getRows()) {
                    rows.forEachRemaining(files::add);
                }
            }
        }
        return files;
    }

    private static void take(FilteredColumnarBatch batch, List<Map<String, Object>> rows) throws IOException {
        try (CloseableIterator<Row> iterator = batch.getRows()) {
            while (iterator.hasNext()) {
                rows.add(map(iterator.next()));
            }
        }
    }

    private static Map<String, Object> map(Row row) {
        StructType schema = row.getSchema();
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < schema.length(); i++) {
            if (!row.isNullAt(i)) {
                map.put(schema.at(i).getName(), value(row, i, schema.at(i).getDataType()));
            }
        }
        map.put("nanos", 1000 * (long) map.remove("time") + (int) map.remove("_time_ns"));
        return map;
    }

    private static Object value(Row row, int at, DataType type) {
        if (type instanceof StringType) {
            return row.getString(at);
        }
        if (type instanceof DoubleType) {
            return row.getDouble(at);
        }
        if (type instanceof BooleanType) {
            return row.getBoolean(at);
        }
        if (type instanceof IntegerType) {
            return row.getInt(at);
        }
        if (type instanceof DateType) {
            return LocalDate.ofEpochDay(row.getInt(at));
        }
        return type instanceof DecimalType ? unsigned(row.getDecimal(at)) : row.getLong(at);
    }

    /** Kernel's reader takes the bits of an unsigned number for a signed one; Spark does not. */
    private static BigInteger unsigned(BigDecimal read) {
        BigInteger value = read.toBigIntegerExact();
        return value.signum() < 0 ? value.add(BigInteger.ONE.shiftLeft(Long.SIZE)) : value;
    }
}
