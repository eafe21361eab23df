package dev.weir.query.sql.run;

import dev.weir.query.sql.image.CancelSignal;
import dev.weir.query.sql.image.ReadCut;
import dev.weir.query.sql.statement.StatementResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.TimeStampNanoVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.TimeUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Sends a small answer the way of all others. */
final class ResultRoot {
    private ResultRoot() {}

    static void send(
            StatementResult result,
            Optional<ReadCut> cut,
            ResultSink sink,
            CancelSignal signal,
            BufferAllocator allocator) {
        Schema schema = new Schema(result.columns().stream()
                .map(column -> Field.nullable(column.name(), type(column.type())))
                .toList());
        List<ResultHead.ResultColumn> columns = result.columns().stream()
                .map(column -> new ResultHead.ResultColumn(column.name(), column.type()))
                .toList();
        try (VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator)) {
            root.allocateNew();
            for (int i = 0; i < result.rows().size(); i++) {
                @Nullable Object[] row = result.rows().get(i);
                for (int c = 0; c < row.length; c++) {
                    set(root.getVector(c), i, row[c]);
                }
            }
            root.setRowCount(result.rows().size());
            sink.begin(new ResultHead(columns, cut, result.commit()), root, signal);
            sink.batch();
            sink.end(result.rows().size());
        }
    }

    private static ArrowType type(String name) {
        return switch (name) {
            case "VARCHAR" -> ArrowType.Utf8.INSTANCE;
            case "BIGINT" -> new ArrowType.Int(64, true);
            case "DOUBLE" -> new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
            case "BOOLEAN" -> ArrowType.Bool.INSTANCE;
            case "TIMESTAMP_NS" -> new ArrowType.Timestamp(TimeUnit.NANOSECOND, null);
            default ->
                throw new IllegalArgumentException(
                        "type " + name + ", expected VARCHAR, BIGINT, DOUBLE, BOOLEAN or TIMESTAMP_NS");
        };
    }

    private static void set(FieldVector vector, int row, @Nullable Object value) {
        if (value == null) {
            vector.setNull(row);
            return;
        }
        switch (vector) {
            case VarCharVector text -> text.setSafe(row, value.toString().getBytes(StandardCharsets.UTF_8));
            case BigIntVector integer -> integer.setSafe(row, ((Number) value).longValue());
            case TimeStampNanoVector time -> time.setSafe(row, ((Number) value).longValue());
            case Float8Vector real -> real.setSafe(row, ((Number) value).doubleValue());
            case BitVector bool -> bool.setSafe(row, (Boolean) value ? 1 : 0);
            default -> throw new IllegalArgumentException("vector " + vector);
        }
    }
}
