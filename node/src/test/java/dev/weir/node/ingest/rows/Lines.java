package dev.weir.node.ingest.rows;

import dev.weir.partition.model.FieldType;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads bodies in tests and shows what was read. */
final class Lines {
    private Lines() {}

    static LineRows of(String body) {
        return of(body.getBytes(StandardCharsets.UTF_8), "ns", false);
    }

    static LineRows of(byte[] body, String precision, boolean dropNotANumber) {
        LineOptions options = new LineOptions(Precision.of(precision).orElseThrow(), dropNotANumber, 1 << 20);
        return new LineRows(body, body.length, options, new NameCaches(1 << 16), "acme");
    }

    /** One text a row: {@code 1: m{h=a} v=i:1 @5}, or {@code 1! syntax}. */
    static List<String> show(RowReader rows) {
        List<String> shown = new ArrayList<>();
        while (rows.next()) {
            RowFault fault = rows.fault();
            shown.add(
                    fault != null
                            ? rows.line() + "! " + fault.code().wireName()
                            : rows.line() + ": " + describe(rows.row()));
        }
        return shown;
    }

    static List<RowFault> faults(RowReader rows) {
        List<RowFault> faults = new ArrayList<>();
        while (rows.next()) {
            if (rows.fault() != null) {
                faults.add(rows.fault());
            }
        }
        return faults;
    }

    static String describe(Row row) {
        StringBuilder out = new StringBuilder(row.series().table().table());
        Map<String, String> tags = tags(row.series());
        if (!tags.isEmpty()) {
            out.append(tags);
        }
        out.append(' ').append(String.join(",", fields(row)));
        return row.timed() ? out.append(" @").append(row.timestampNanos()).toString() : out.toString();
    }

    static Map<String, String> tags(SeriesHandle series) {
        Map<String, String> tags = new TreeMap<>();
        ByteBuffer canonical = ByteBuffer.wrap(series.canonicalTags());
        while (canonical.hasRemaining()) {
            tags.put(text(canonical), text(canonical));
        }
        return tags;
    }

    static List<String> fields(Row row) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < row.fieldCount(); i++) {
            fields.add(row.name(i).text() + "=" + value(row, i));
        }
        return fields;
    }

    private static String value(Row row, int i) {
        long bits = row.bits(i);
        return switch (FieldType.ofCode(row.type(i))) {
            case FLOAT64 -> "d:" + Double.longBitsToDouble(bits);
            case INT64 -> "i:" + bits;
            case UINT64 -> "u:" + new BigInteger(Long.toUnsignedString(bits));
            case BOOL -> "b:" + (bits == 1);
            case STRING -> "s:" + new String(row.text(i), row.textFrom(i), row.textLength(i), StandardCharsets.UTF_8);
        };
    }

    private static String text(ByteBuffer from) {
        byte[] bytes = new byte[from.getInt()];
        from.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
