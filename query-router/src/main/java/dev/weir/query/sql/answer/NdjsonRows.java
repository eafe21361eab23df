package dev.weir.query.sql.answer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import dev.weir.query.sql.run.ResultHead;
import dev.weir.query.sql.run.ResultHead.ResultColumn;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** An object a line. Of columns that bear one name the later ones get {@code _1}, {@code _2}, so that no value is lost. */
final class NdjsonRows implements RowEncoder {
    private static final JsonFactory JSON = new JsonFactory();

    private final AnswerBytes out;
    private final JsonCells cells;
    private final JsonGenerator json;
    private List<FieldVector> vectors = List.of();
    private List<SerializedString> names = List.of();

    NdjsonRows(AnswerOptions options, AnswerBytes out) {
        this.out = out;
        this.cells = new JsonCells(options);
        try {
            this.json = JSON.createGenerator(out).setRootValueSeparator(new SerializedString(""));
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
    }

    @Override
    public void head(ResultHead head, VectorSchemaRoot rows) {
        vectors = rows.getFieldVectors();
        Set<String> taken = new HashSet<>();
        List<SerializedString> unique = new ArrayList<>();
        for (ResultColumn column : head.columns()) {
            String name = column.name();
            for (int i = 1; !taken.add(name); i++) {
                name = column.name() + "_" + i;
            }
            unique.add(new SerializedString(name));
        }
        names = unique;
    }

    @Override
    public void rows(int from, int to) throws IOException {
        for (int row = from; row < to; row++) {
            json.writeStartObject();
            for (int i = 0; i < vectors.size(); i++) {
                json.writeFieldName(names.get(i));
                cells.write(json, vectors.get(i), row);
            }
            json.writeEndObject();
            json.writeRaw('\n');
        }
        json.flush();
    }

    @Override
    public void tail(long rowCount) throws IOException {
        json.flush();
        out.flush();
    }
}
