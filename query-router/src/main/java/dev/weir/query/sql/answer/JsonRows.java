package dev.weir.query.sql.answer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.query.sql.run.ResultHead;
import dev.weir.query.sql.run.ResultHead.ResultColumn;
import java.io.IOException;
import java.util.List;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** {@code {"columns":[{"name","type"}],"rows":[[…]],"row_count"}}. */
final class JsonRows implements RowEncoder {
    private static final JsonFactory JSON = new JsonFactory();

    private final AnswerOptions options;
    private final AnswerBytes out;
    private final JsonCells cells;
    private JsonGenerator json;
    private List<FieldVector> vectors = List.of();

    JsonRows(AnswerOptions options, AnswerBytes out) {
        this.options = options;
        this.out = out;
        this.cells = new JsonCells(options);
        try {
            this.json = JSON.createGenerator(out);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException("writing to memory failed", e);
        }
    }

    @Override
    public void head(ResultHead head, VectorSchemaRoot rows) throws IOException {
        vectors = rows.getFieldVectors();
        json.writeStartObject();
        json.writeArrayFieldStart("columns");
        for (int i = 0; i < vectors.size(); i++) {
            ResultColumn column = head.columns().get(i);
            boolean asInteger = options.epochNanos() && TimeCells.isTimestamp(vectors.get(i));
            json.writeStartObject();
            json.writeStringField("name", column.name());
            json.writeStringField("type", asInteger ? "BIGINT" : column.type());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeArrayFieldStart("rows");
    }

    @Override
    public void rows(int from, int to) throws IOException {
        for (int row = from; row < to; row++) {
            json.writeStartArray();
            for (FieldVector vector : vectors) {
                cells.write(json, vector, row);
            }
            json.writeEndArray();
        }
        json.flush();
    }

    @Override
    public void tail(long rowCount) throws IOException {
        json.writeEndArray();
        json.writeNumberField("row_count", rowCount);
        json.writeEndObject();
        json.flush();
        out.write('\n');
    }
}
