package dev.weir.partition.file;

import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.model.Tag;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/** Reads the tag columns of a file row by row and notices where the series changes. */
final class TagReader {
    private final List<FileColumn> columns;
    private final ColumnReader[] readers;
    private final @Nullable Binary[] values;
    private byte @Nullable [] canonical;

    /** @param columns the file's tags */
    TagReader(List<FileColumn> columns) {
        this.columns = columns.stream()
                .sorted(Comparator.comparing(column -> column.column().name()))
                .toList();
        this.readers = new ColumnReader[columns.size()];
        this.values = new Binary[columns.size()];
    }

    List<FileColumn> columns() {
        return columns;
    }

    /** Goes on with the columns of another row group. */
    void read(int index, ColumnReader reader) {
        readers[index] = reader;
    }

    /** Canonical tags of the next row: the same array as for the row before where the series is the same. */
    byte[] next() {
        boolean isSame = canonical != null;
        for (int i = 0; i < readers.length; i++) {
            ColumnReader reader = readers[i];
            Binary value = reader.getCurrentDefinitionLevel() == 0 ? null : reader.getBinary();
            reader.consume();
            isSame &= Objects.equals(value, values[i]);
            values[i] = value;
        }
        if (!isSame || canonical == null) {
            canonical = encode();
        }
        return canonical;
    }

    private byte[] encode() {
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            Binary value = values[i];
            if (value != null) {
                tags.add(new Tag(columns.get(i).column().name(), value.toStringUsingUTF8()));
            }
        }
        return CanonicalTags.encode(tags);
    }
}
