package dev.weir.node.ingest.letter;

import dev.weir.node.ingest.rows.OwnRows.OwnField;
import dev.weir.node.ingest.rows.OwnRows.OwnRow;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.ColumnWish;
import dev.weir.partition.model.ColumnRole;
import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.TableSchema;
import dev.weir.partition.model.TableSettings;
import dev.weir.partition.model.Tag;
import java.util.ArrayList;
import java.util.List;

/**
 * The table {@code _dead_letters}. A row of it:
 *
 * <pre>
 * time         arrival, by the clock of the node that took the write; no two letters of a node have the same
 * code         tag: why, an error code, or quarantined
 * node         tag: the node that took the write
 * id           time.node.code: names the letter
 * measurement  the table that the row names, NULL where that can't be told
 * message      the reason in words, as the writer got it
 * text         the row as it came
 * truncated    the text is longer than dead-letters.text-bytes-max, or not UTF-8: what is kept is not the row
 * format       lp, json or flat
 * parameters   JSON: what else gave the text its meaning, see LetterForm
 * line         line or element in the body
 * bytes        what the letter counts against dead-letters.bytes-max
 * </pre>
 *
 * Series are few: a code and a node each.
 */
public final class LetterTable {
    public static final String NAME = TableSchema.DEAD_LETTERS;
    /** The code of rows that were stored before they were set aside. They are not dropped to make room for others. */
    public static final String QUARANTINED = "quarantined";

    private LetterTable() {}

    static CatalogCommand.CreateTable definition(String tenant) {
        return new CatalogCommand.CreateTable(
                tenant,
                NAME,
                true,
                false,
                List.of(
                        tag("code"),
                        tag("node"),
                        field("id", FieldType.STRING),
                        field("measurement", FieldType.STRING),
                        field("message", FieldType.STRING),
                        field("text", FieldType.STRING),
                        field("truncated", FieldType.BOOL),
                        field("format", FieldType.STRING),
                        field("parameters", FieldType.STRING),
                        field("line", FieldType.INT64),
                        field("bytes", FieldType.INT64)),
                TableSettings.DEFAULTS);
    }

    /** @param parameters of the letter's form */
    static OwnRow row(Letter letter, long timeNanos, String node, String format, String parameters) {
        String code = letter.code();
        List<OwnField> fields = new ArrayList<>();
        fields.add(OwnField.of("id", timeNanos + "." + node + "." + code));
        String measurement = letter.measurement();
        if (measurement != null) {
            fields.add(OwnField.of("measurement", measurement));
        }
        fields.add(OwnField.of("message", letter.message()));
        fields.add(OwnField.of("text", letter.text()));
        fields.add(OwnField.of("truncated", letter.truncated()));
        fields.add(OwnField.of("format", format));
        fields.add(OwnField.of("parameters", parameters));
        fields.add(OwnField.of("line", letter.line()));
        fields.add(OwnField.of("bytes", letter.bytes()));
        return new OwnRow(List.of(new Tag("code", code), new Tag("node", node)), timeNanos, fields);
    }

    private static ColumnWish tag(String name) {
        return new ColumnWish(name, ColumnRole.TAG, FieldType.STRING, false, false);
    }

    private static ColumnWish field(String name, FieldType type) {
        return new ColumnWish(name, ColumnRole.FIELD, type, false, false);
    }
}
