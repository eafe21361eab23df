package dev.weir.query.sql.answer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.query.sql.run.ResultHead;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.DecimalVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VarBinaryVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.StructVector;

/** RFC 4180 with a line of names. What is absent is empty, an empty text is quoted; lists and structs are their JSON. */
final class CsvRows implements RowEncoder {
    private static final JsonFactory JSON = new JsonFactory();

    private final AnswerOptions options;
    private final AnswerBytes out;
    private List<FieldVector> vectors = List.of();

    CsvRows(AnswerOptions options, AnswerBytes out) {
        this.options = options;
        this.out = out;
    }

    @Override
    public void head(ResultHead head, VectorSchemaRoot rows) {
        vectors = rows.getFieldVectors();
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < vectors.size(); i++) {
            line.append(i == 0 ? "" : ",").append(quoted(head.columns().get(i).name()));
        }
        line.append("\r\n");
        send(line);
    }

    @Override
    public void rows(int from, int to) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int row = from; row < to; row++) {
            for (int i = 0; i < vectors.size(); i++) {
                lines.append(i == 0 ? "" : ",").append(cell(vectors.get(i), row));
            }
            lines.append("\r\n");
        }
        send(lines);
    }

    @Override
    public void tail(long rowCount) {
        // The format has no end of its own.
    }

    private void send(StringBuilder text) {
        out.writeUtf8(text.toString().getBytes(StandardCharsets.UTF_8));
    }

    private String cell(FieldVector vector, int row) throws IOException {
        if (vector.isNull(row)) {
            return "";
        }
        return switch (vector) {
            case VarCharVector text -> quoted(new String(text.get(row), StandardCharsets.UTF_8));
            case Float8Vector real -> Double.toString(real.get(row));
            case Float4Vector real -> Float.toString(real.get(row));
            case BigIntVector integer -> Long.toString(integer.get(row));
            case UInt8Vector unsigned -> Long.toUnsignedString(unsigned.get(row));
            case BitVector bool -> bool.get(row) != 0 ? "true" : "false";
            case DecimalVector decimal -> plain(decimal.getObject(row));
            case VarBinaryVector bytes -> Base64.getEncoder().encodeToString(bytes.get(row));
            case ListVector list -> quoted(json(list, row));
            case StructVector struct -> quoted(json(struct, row));
            default ->
                options.epochNanos() && TimeCells.isTimestamp(vector)
                        ? TimeCells.nanos(vector, row).toString()
                        : TimeCells.text(vector, row);
        };
    }

    private static String plain(BigDecimal value) {
        return value.toPlainString();
    }

    private String json(FieldVector vector, int row) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            new JsonCells(options).write(json, vector, row);
        }
        return text.toString(StandardCharsets.UTF_8);
    }

    private static String quoted(String text) {
        boolean plain = !text.isEmpty()
                && text.chars().noneMatch(c -> c == '"' || c == ',' || c == '\n' || c == '\r')
                && text.strip().length() == text.length();
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
