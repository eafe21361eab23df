package dev.weir.docker;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;

/** Reads the rows of a record batch, in whichever layout, back into the model, for the checks. */
final class ArrowRows {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final VectorSchemaRoot batch;
    private final DictionaryProvider dictionaries;
    private final int partition;

    /** @param partition as the batch's metadata has it */
    ArrowRows(VectorSchemaRoot batch, DictionaryProvider dictionaries, int partition) {
        this.batch = batch;
        this.dictionaries = dictionaries;
        this.partition = partition;
    }

    List<ChangeEvent> changes() throws IOException {
        List<ChangeEvent> changes = new ArrayList<>();
        for (int row = 0; row < batch.getRowCount(); row++) {
            changes.add(change(row));
        }
        return changes;
    }

    private ChangeEvent change(int row) throws IOException {
        Map<String, Object> columns = new LinkedHashMap<>();
        for (FieldVector column : batch.getFieldVectors()) {
            if (!column.isNull(row)) {
                columns.put(column.getField().getName(), value(column, row));
            }
        }
        boolean typed = !columns.containsKey("tags_json");
        boolean fixed = !columns.containsKey("operation");
        return new ChangeEvent(
                partition,
                (Long) columns.get("seq"),
                StreamedEvents.type((String) columns.get("event_type")),
                fixed ? Operation.NONE : StreamedEvents.operation((String) columns.get("operation")),
                "default",
                (String) columns.get("measurement"),
                (Long) columns.get("event_timestamp"),
                typed ? tags(columns) : StreamedEvents.tags(JSON.readTree((String) columns.get("tags_json"))),
                typed ? fields(columns) : StreamedEvents.fields(JSON.readTree((String) columns.get("fields_json"))),
                fixed ? 0 : (Integer) columns.get("schema_version"),
                fixed ? 0 : (Long) columns.get("committed_at"),
                0,
                fixed
                        ? "{}"
                        : JSON.readTree((String) columns.get("detail_json")).toString());
    }

    private static List<Tag> tags(Map<String, Object> columns) {
        List<Tag> tags = new ArrayList<>();
        columns.forEach((name, value) -> {
            if (name.startsWith("tag.")) {
                tags.add(new Tag(name.substring("tag.".length()), (String) value));
            }
        });
        Collections.sort(tags);
        return tags;
    }

    private static Map<String, Object> fields(Map<String, Object> columns) {
        Map<String, Object> fields = new LinkedHashMap<>();
        columns.forEach((name, value) -> {
            if (name.startsWith("field.")) {
                fields.put(name.substring("field.".length()), value);
            }
        });
        return fields;
    }

    private Object value(FieldVector column, int row) {
        if (column.getField().getDictionary() != null) {
            Dictionary dictionary =
                    dictionaries.lookup(column.getField().getDictionary().getId());
            int index = ((Number) column.getObject(row)).intValue();
            return ((VarCharVector) dictionary.getVector()).getObject(index).toString();
        }
        return column instanceof VarCharVector text ? text.getObject(row).toString() : column.getObject(row);
    }
}
