package dev.weir.node.internal;

import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.Tag;
import dev.weir.partition.read.LatestQuery;
import dev.weir.partition.read.ReadResult;
import dev.weir.partition.read.SeriesRow;
import io.vertx.core.buffer.Buffer;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The messages by which a node reads latest values and series at a partition's leader. */
final class ReadMessages {
    private ReadMessages() {}

    static Buffer encode(LatestQuery query) {
        WireWriter out = new WireWriter(128);
        out.putText(query.tenant()).putText(query.measurement()).putInt(query.seriesMax());
        out.putInt(query.tagFilters().size());
        query.tagFilters().forEach((key, values) -> {
            out.putText(key).putInt(values.size());
            values.forEach(out::putText);
        });
        TableSchema schema = query.schema();
        out.putBool(schema != null);
        if (schema != null) {
            SchemaMessages.write(out, schema);
        }
        return out.buffer();
    }

    static LatestQuery decodeQuery(Buffer message) {
        WireReader in = new WireReader(message);
        String tenant = in.readText();
        String measurement = in.readText();
        int seriesMax = in.readInt();
        int count = in.readCount(8);
        Map<String, List<String>> filters = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String key = in.readText();
            int values = in.readCount(4);
            List<String> texts = new ArrayList<>(values);
            for (int j = 0; j < values; j++) {
                texts.add(in.readText());
            }
            filters.put(key, List.copyOf(texts));
        }
        TableSchema schema = in.readBool() ? SchemaMessages.read(in) : null;
        return new LatestQuery(tenant, measurement, filters, seriesMax, schema);
    }

    static Buffer encode(ReadResult result) {
        WireWriter out = new WireWriter(64 + result.rows().size() * 128);
        out.putInt(result.partition())
                .putLong(result.nextSeq())
                .putInt(result.rows().size());
        for (SeriesRow row : result.rows()) {
            WriteMessages.putTags(out, row.tags());
            out.putLong(row.seriesHash()).putLong(row.timestampNanos());
            out.putInt(row.fields().size());
            row.fields().forEach((name, value) -> {
                out.putText(name);
                putValue(out, value);
            });
        }
        return out.buffer();
    }

    static ReadResult decodeResult(Buffer message) {
        WireReader in = new WireReader(message);
        int partition = in.readInt();
        long nextSeq = in.readLong();
        int count = in.readCount(21);
        List<SeriesRow> rows = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            List<Tag> tags = WriteMessages.readTags(in);
            long hash = in.readLong();
            long timestamp = in.readLong();
            int fields = in.readCount(6);
            Map<String, Object> values = new LinkedHashMap<>();
            for (int j = 0; j < fields; j++) {
                values.put(in.readText(), readValue(in));
            }
            rows.add(new SeriesRow(tags == null ? List.of() : tags, hash, timestamp, values));
        }
        return new ReadResult(partition, nextSeq, rows);
    }

    private static void putValue(WireWriter out, Object value) {
        switch (value) {
            case Double number -> out.putByte(FieldType.FLOAT64.code()).putLong(Double.doubleToRawLongBits(number));
            case Long number -> out.putByte(FieldType.INT64.code()).putLong(number);
            case BigInteger number -> out.putByte(FieldType.UINT64.code()).putLong(number.longValue());
            case Boolean flag -> out.putByte(FieldType.BOOL.code()).putBool(flag);
            case String text -> out.putByte(FieldType.STRING.code()).putText(text);
            default -> throw new IllegalArgumentException("field value of " + value.getClass());
        }
    }

    private static Object readValue(WireReader in) {
        FieldType type = FieldType.ofCode(in.readByte());
        return switch (type) {
            case FLOAT64 -> Double.longBitsToDouble(in.readLong());
            case INT64 -> in.readLong();
            case UINT64 -> new BigInteger(Long.toUnsignedString(in.readLong()));
            case BOOL -> in.readBool();
            case STRING -> in.readText();
        };
    }
}
