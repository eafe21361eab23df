package dev.weir.partition.file;

import dev.weir.partition.entry.CanonicalTags;
import dev.weir.partition.file.ChunkWriter.Dictionary;
import dev.weir.partition.model.Column;
import dev.weir.partition.model.Tag;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.io.api.Binary;

/** Writes a row group: column after column, each encoded and compressed while only its own pages are in memory. */
final class GroupWriter implements AutoCloseable {
    private static final double BLOOM_FALSE_POSITIVES = 0.01;
    private static final int NO_TAG = -1;

    private final FileSchema schema;
    private final ParquetFileWriter out;
    private final ChunkWriter chunks;
    private final FieldChunks fields;
    private final Map<String, Integer> tagIndex = new HashMap<>();
    private final TextDictionary texts = new TextDictionary();
    private final PageBytes dictionaryPage = new PageBytes();
    private long[] scratch = new long[0];
    private int[] places = new int[0];
    private boolean[] present = new boolean[0];

    GroupWriter(FileSchema schema, ParquetFileWriter out, FileLimits limits) {
        this.schema = schema;
        this.out = out;
        this.chunks = new ChunkWriter(out, limits);
        this.fields = new FieldChunks(chunks, limits);
        for (int i = 0; i < schema.tags().size(); i++) {
            tagIndex.put(schema.tags().get(i).name(), i);
        }
    }

    void write(GroupBuffer rows) throws IOException {
        reserve(rows.rows());
        out.startBlock(rows.rows());
        writeTimes(rows);
        writeTags(rows);
        for (int i = 0; i < schema.fields().size(); i++) {
            fields.write(column(schema.nameOf(schema.fields().get(i))), rows.field(i));
        }
        writeOwn(rows);
        out.endBlock();
    }

    /** @throws IllegalArgumentException a series has a tag that the schema lacks */
    void checkTags(byte[] canonicalTags) {
        for (Tag tag : CanonicalTags.decode(canonicalTags, 0, canonicalTags.length)) {
            if (!tagIndex.containsKey(tag.key())) {
                throw new IllegalArgumentException(
                        "data file: a series has the tag '" + tag.key() + "', expected one of " + tagIndex.keySet());
            }
        }
    }

    @Override
    public void close() {
        chunks.close();
    }

    private void writeTimes(GroupBuffer rows) throws IOException {
        long[] times = rows.times();
        for (int row = 0; row < rows.rows(); row++) {
            scratch[row] = Math.floorDiv(times[row], 1000);
        }
        fields.writeRequired(column(ColumnNames.TIME), scratch, rows.rows());
    }

    private void writeOwn(GroupBuffer rows) throws IOException {
        long[] times = rows.times();
        for (int row = 0; row < rows.rows(); row++) {
            scratch[row] = Math.floorMod(times[row], 1000);
        }
        fields.writeRequired(column(ColumnNames.TIME_NS), scratch, rows.rows());
        fields.writeRequired(column(ColumnNames.SEQ), rows.seqs(), rows.rows());
        for (int run = 0; run < rows.runs(); run++) {
            Arrays.fill(scratch, rows.runStart(run), rows.runEnd(run), rows.runHash(run));
        }
        fields.writeRequired(column(ColumnNames.SERIES_HASH), scratch, rows.rows());
    }

    private void writeTags(GroupBuffer rows) throws IOException {
        byte[][][] values = tagValues(rows);
        for (int i = 0; i < values.length; i++) {
            writeTag(schema.tags().get(i), values[i], rows);
        }
    }

    /** By tag and run; null where the series lacks the tag. */
    private byte[][][] tagValues(GroupBuffer rows) {
        byte[][][] values = new byte[schema.tags().size()][rows.runs()][];
        for (int run = 0; run < rows.runs(); run++) {
            byte[] canonical = rows.runTags(run);
            List<Tag> tags = CanonicalTags.decode(canonical, 0, canonical.length);
            for (Tag tag : tags) {
                values[tagIndex.getOrDefault(tag.key(), NO_TAG)][run] =
                        tag.value().getBytes(StandardCharsets.UTF_8);
            }
        }
        return values;
    }

    private void writeTag(Column tag, byte[][] values, GroupBuffer rows) throws IOException {
        texts.clear();
        int count = 0;
        for (int run = 0; run < values.length; run++) {
            int from = rows.runStart(run);
            int to = rows.runEnd(run);
            byte[] value = values[run];
            Arrays.fill(present, from, to, value != null);
            if (value != null) {
                int place = texts.place(value, 0, value.length);
                Arrays.fill(places, count, count + to - from, place);
                count += to - from;
            }
        }
        TextValues entries = texts.entries();
        dictionaryPage.clear();
        new ValueEncoder.PlainTexts(entries).append(dictionaryPage, 0, entries.count());
        ColumnDescriptor column = column(schema.nameOf(tag));
        Presence presence = new Presence(rows.rows(), false, count == rows.rows() ? null : present);
        chunks.write(
                column,
                presence,
                count == 0 ? new ValueEncoder.PlainTexts(entries) : new ValueEncoder.Places(places, entries.count()),
                new PageStats.Entries(column.getPrimitiveType(), entries, places),
                count == 0 ? null : new Dictionary(dictionaryPage, entries.count()));
        addBloomFilter(schema.nameOf(tag), entries);
    }

    private void addBloomFilter(String name, TextValues entries) {
        int bits = BlockSplitBloomFilter.optimalNumOfBits(entries.count(), BLOOM_FALSE_POSITIVES);
        BlockSplitBloomFilter filter = new BlockSplitBloomFilter(bits / 8);
        for (int i = 0; i < entries.count(); i++) {
            filter.insertHash(
                    filter.hash(Binary.fromReusedByteArray(entries.bytes(), entries.from(i), entries.length(i))));
        }
        out.addBloomFilter(name, filter);
    }

    private ColumnDescriptor column(String name) {
        return schema.descriptor(name);
    }

    private void reserve(int rows) {
        if (scratch.length < rows) {
            scratch = new long[rows];
            places = new int[rows];
            present = new boolean[rows];
        }
    }
}
