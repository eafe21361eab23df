package dev.weir.partition.file;

import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.io.api.Binary;
import org.jspecify.annotations.Nullable;

/** Reads the tag columns of a file row by row and notices where the series changes. */
final class TagReader {
    private final List<FileColumn> columns;
    private final List<TagColumn> readers = new ArrayList<>();
    private byte @Nullable [] canonical;

    /** @param columns the file's tags */
    TagReader(List<FileColumn> columns) {
        this.columns = columns.stream()
                .sorted(Comparator.comparing(column -> column.column().name()))
                .toList();
        this.columns.forEach(column -> readers.add(new TagColumn()));
    }

    List<FileColumn> columns() {
        return columns;
    }

    /** Goes on with a column of another row group. */
    void read(int index, ColumnPages pages) {
        readers.get(index).open(pages);
    }

    /** Canonical tags of the next row: the same array as for the row before where the series is the same. */
    byte[] next() throws IOException {
        boolean isSame = canonical != null;
        for (int i = 0; i < readers.size(); i++) {
            isSame &= readers.get(i).next();
        }
        if (!isSame || canonical == null) {
            canonical = encode();
        }
        return canonical;
    }

    private byte[] encode() {
        List<Tag> tags = new ArrayList<>();
        for (int i = 0; i < readers.size(); i++) {
            Binary value = readers.get(i).value;
            if (value != null) {
                tags.add(new Tag(columns.get(i).column().name(), value.toStringUsingUTF8()));
            }
        }
        return CanonicalTags.encode(tags);
    }

    /** One tag's value in the row that was read last. */
    private static final class TagColumn {
        private @Nullable ColumnPages pages;
        private @Nullable Binary value;
        private @Nullable Dictionary dictionary;
        private int place;
        private int stretch;

        void open(ColumnPages next) {
            pages = next;
            stretch = 0;
        }

        /** Whether the value is that of the row before. */
        boolean next() throws IOException {
            ColumnPages in = Objects.requireNonNull(pages);
            if (stretch == 0) {
                stretch = in.stretch(Integer.MAX_VALUE);
                dictionary = null;
            }
            stretch--;
            if (!in.next()) {
                boolean wasNull = value == null;
                value = null;
                dictionary = null;
                return wasNull;
            }
            Dictionary entries = in.dictionary();
            return entries == null
                    ? take(in.values().readBytes())
                    : takePlace(entries, in.values().readValueDictionaryId());
        }

        /** Places compare only while they are of one dictionary and no null came between. */
        private boolean takePlace(Dictionary entries, int next) {
            if (dictionary != null && next == place) {
                return true;
            }
            dictionary = entries;
            place = next;
            return take(entries.decodeToBinary(next));
        }

        private boolean take(Binary next) {
            boolean isSame = next.equals(value);
            value = next;
            return isSame;
        }
    }
}
