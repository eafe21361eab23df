package dev.weir.docker;

import io.delta.kernel.Scan;
import io.delta.kernel.TableManager;
import io.delta.kernel.data.ColumnarBatch;
import io.delta.kernel.data.FilteredColumnarBatch;
import io.delta.kernel.data.Row;
import io.delta.kernel.defaults.engine.DefaultEngine;
import io.delta.kernel.engine.Engine;
import io.delta.kernel.engine.FileReadResult;
import io.delta.kernel.internal.InternalScanFileUtils;
import io.delta.kernel.internal.data.ScanStateRow;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.types.LongType;
import io.delta.kernel.types.StructType;
import io.delta.kernel.utils.CloseableIterator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** The rows of a published table with columns {@code host} and {@code n}, by Delta Kernel on Hadoop's file system: each as "host nanos n". */
record DeltaRows(Path table) {
    List<String> read() throws IOException {
        Engine engine = DefaultEngine.create(new Configuration());
        Scan scan = TableManager.loadSnapshot(table.toString())
                .build(engine)
                .getScanBuilder()
                .build();
        Row state = scan.getScanState(engine);
        List<String> rows = new ArrayList<>();
        try (CloseableIterator<FilteredColumnarBatch> files = scan.getScanFiles(engine)) {
            while (files.hasNext()) {
                try (CloseableIterator<Row> each = files.next().getRows()) {
                    while (each.hasNext()) {
                        read(engine, state, each.next(), rows);
                    }
                }
            }
        }
        return rows;
    }

    private static void read(Engine engine, Row state, Row file, List<String> rows) throws IOException {
        try (CloseableIterator<FileReadResult> read = engine.getParquetHandler()
                        .readParquetFiles(
                                Utils.singletonCloseableIterator(InternalScanFileUtils.getAddFileStatus(file)),
                                ScanStateRow.getPhysicalDataReadSchema(state),
                                Optional.empty());
                CloseableIterator<ColumnarBatch> batches = read.map(FileReadResult::getData);
                CloseableIterator<FilteredColumnarBatch> logical =
                        Scan.transformPhysicalData(engine, state, file, batches)) {
            while (logical.hasNext()) {
                try (CloseableIterator<Row> each = logical.next().getRows()) {
                    each.forEachRemaining(row -> rows.add(text(row)));
                }
            }
        }
    }

    private static String text(Row row) {
        StructType schema = row.getSchema();
        int n = schema.indexOf("n");
        double value = schema.at(n).getDataType() instanceof LongType ? row.getLong(n) : row.getDouble(n);
        long nanos = 1000 * row.getLong(schema.indexOf("time")) + row.getInt(schema.indexOf("_time_ns"));
        return row.getString(schema.indexOf("host")) + " " + nanos + " " + value;
    }
}
