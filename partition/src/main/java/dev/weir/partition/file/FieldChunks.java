package dev.weir.partition.file;

import dev.weir.partition.file.ChunkWriter.Dictionary;
import dev.weir.partition.model.FieldType;
import java.io.IOException;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/**
 * Chooses how the values of a column chunk are written: each way is tried on some of them, compressed, and the smallest is taken; a
 * dictionary also pays for its own page.
 */
final class FieldChunks {
    private static final int ENTRIES_MAX = 1 << 15;
    private static final int TEXT_ENTRIES_MAX = 1 << 16;
    private static final int TEXT_DICTIONARY_BYTES_MAX = 1 << 20;
    private static final int SAMPLE = 4096;

    private final ChunkWriter chunks;
    private final boolean mayStreamSplit;
    private final LongDictionary numbers = new LongDictionary(ENTRIES_MAX);
    private final TextDictionary texts = new TextDictionary();
    private final PageBytes dictionaryPage = new PageBytes();
    private int[] places = new int[0];

    FieldChunks(ChunkWriter chunks, FileLimits limits) {
        this.chunks = chunks;
        this.mayStreamSplit = limits.streamSplit();
    }

    void write(ColumnDescriptor column, FieldBuffer field) throws IOException {
        if (field.type() == FieldType.STRING) {
            writeTexts(column, field);
        } else {
            writeNumbers(column, field.presence(), field.values(), field.count());
        }
    }

    /** A column of ours: every row has a value. */
    void writeRequired(ColumnDescriptor column, long[] values, int rows) throws IOException {
        writeNumbers(column, Presence.required(rows), values, rows);
    }

    private void writeNumbers(ColumnDescriptor column, Presence presence, long[] values, int count) throws IOException {
        PrimitiveType type = column.getPrimitiveType();
        PageStats stats = stats(type, values, count);
        if (type.getPrimitiveTypeName() == PrimitiveTypeName.BOOLEAN) {
            chunks.write(column, presence, new ValueEncoder.PlainBools(values), stats, null);
            return;
        }
        ValueEncoder plain = type.getPrimitiveTypeName() == PrimitiveTypeName.INT32
                ? new ValueEncoder.PlainInts(values)
                : new ValueEncoder.PlainLongs(values);
        Choice choice = new Choice(count);
        choice.offer(plain, null);
        if (type.getPrimitiveTypeName() == PrimitiveTypeName.INT64) {
            choice.offer(new ValueEncoder.DeltaLongs(values), null);
        } else if (type.getPrimitiveTypeName() == PrimitiveTypeName.DOUBLE && mayStreamSplit) {
            choice.offer(new ValueEncoder.SplitLongs(values), null);
        }
        reserve(count);
        if (count > 0 && numbers.build(values, count, places)) {
            plainEntries(type);
            choice.offer(
                    new ValueEncoder.Places(places, numbers.count()), new Dictionary(dictionaryPage, numbers.count()));
        }
        chunks.write(column, presence, choice.best(), stats, choice.dictionary());
    }

    private void writeTexts(ColumnDescriptor column, FieldBuffer field) throws IOException {
        TextValues values = field.texts();
        Choice choice = new Choice(values.count());
        ValueEncoder.PlainTexts plain = new ValueEncoder.PlainTexts(values);
        choice.offer(plain, null);
        PageStats stats = new PageStats.Texts(column.getPrimitiveType(), values);
        if (values.count() > 0 && buildTexts(values)) {
            dictionaryPage.clear();
            TextValues entries = texts.entries();
            new ValueEncoder.PlainTexts(entries).append(dictionaryPage, 0, entries.count());
            choice.offer(
                    new ValueEncoder.Places(places, entries.count()), new Dictionary(dictionaryPage, entries.count()));
            stats = new PageStats.Entries(column.getPrimitiveType(), entries, places);
        }
        chunks.write(column, field.presence(), choice.best(), stats, choice.dictionary());
    }

    private boolean buildTexts(TextValues values) {
        reserve(values.count());
        texts.clear();
        for (int i = 0; i < values.count(); i++) {
            places[i] = texts.place(values.bytes(), values.from(i), values.length(i));
            TextValues entries = texts.entries();
            if (entries.count() > TEXT_ENTRIES_MAX || entries.byteCount() > TEXT_DICTIONARY_BYTES_MAX) {
                return false;
            }
        }
        return values.count() > 0;
    }

    private void plainEntries(PrimitiveType type) {
        dictionaryPage.clear();
        if (type.getPrimitiveTypeName() == PrimitiveTypeName.INT32) {
            dictionaryPage.putInts(numbers.entries(), 0, numbers.count());
        } else {
            dictionaryPage.putLongs(numbers.entries(), 0, numbers.count());
        }
    }

    private static PageStats stats(PrimitiveType type, long[] values, int count) {
        if (type.getPrimitiveTypeName() == PrimitiveTypeName.DOUBLE) {
            return PageStats.Doubles.of(type, values, count);
        }
        boolean isUnsigned =
                type.getLogicalTypeAnnotation() instanceof IntLogicalTypeAnnotation whole && !whole.isSigned();
        return isUnsigned ? new PageStats.Unsigned(type, values) : new PageStats.Signed(type, values);
    }

    private void reserve(int count) {
        if (places.length < count) {
            places = new int[count];
        }
    }

    /** The smallest of the ways that were offered; the first of equal ones. */
    private final class Choice {
        private final int from;
        private final int to;
        private final double scale;
        private double bestBytes = Double.MAX_VALUE;
        private @Nullable ValueEncoder best;
        private @Nullable Dictionary dictionary;

        /** Tries values from the middle, where no beginning is peculiar. */
        Choice(int count) {
            int sample = Math.min(count, SAMPLE);
            this.from = (count - sample) / 2;
            this.to = from + sample;
            this.scale = sample == 0 ? 1 : (double) count / sample;
        }

        void offer(ValueEncoder way, @Nullable Dictionary withDictionary) throws IOException {
            double bytes = chunks.measure(way, from, to) * scale;
            if (withDictionary != null) {
                bytes += chunks.measure(withDictionary.plain());
            }
            if (bytes < bestBytes) {
                bestBytes = bytes;
                best = way;
                dictionary = withDictionary;
            }
        }

        ValueEncoder best() {
            return java.util.Objects.requireNonNull(best);
        }

        @Nullable
        Dictionary dictionary() {
            return dictionary;
        }
    }
}
