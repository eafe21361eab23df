package dev.weir.partition.file;

import java.io.IOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.schema.PrimitiveType;
import org.jspecify.annotations.Nullable;

/** Writes column chunks: a dictionary page where there is one, then pages of levels and values, each compressed. Used by one thread. */
final class ChunkWriter implements AutoCloseable {
    private final ParquetFileWriter out;
    private final int pageRows;
    private final Zstd zstd;
    private final PageBytes page = new PageBytes();

    ChunkWriter(ParquetFileWriter out, FileLimits limits) {
        this.out = out;
        this.pageRows = limits.pageRows();
        this.zstd = new Zstd(limits.zstdLevel());
    }

    /**
     * @param plain its entries in plain encoding
     * @param entries how many
     */
    record Dictionary(PageBytes plain, int entries) {}

    void write(
            ColumnDescriptor column,
            Presence presence,
            ValueEncoder values,
            PageStats stats,
            @Nullable Dictionary dictionary)
            throws IOException {
        int rows = presence.rows();
        out.startColumn(column, rows, CompressionCodecName.ZSTD);
        if (dictionary != null) {
            writeDictionary(dictionary);
        }
        int value = 0;
        int nulls = 0;
        for (int row = 0; row < rows; ) {
            int end = Math.min(rows, row + pageRows);
            int count = presence.count(row, end);
            int fit = values.pageEnd(value, value + count) - value;
            if (fit < count) {
                end = presence.rowAfter(row, fit);
                count = fit;
            }
            int pageNulls = end - row - count;
            writePage(
                    presence,
                    values,
                    new Range(row, end, value, value + count),
                    bounds(column, stats, value, count, pageNulls));
            value += count;
            nulls += pageNulls;
            row = end;
        }
        if (!stats.isBounded()) {
            out.invalidateStatistics(PageStats.empty(column.getPrimitiveType(), nulls));
        }
        out.endColumn();
    }

    /** What values take on disk, to compare ways of writing them. */
    int measure(ValueEncoder values, int from, int to) throws IOException {
        page.clear();
        values.append(page, from, to);
        return zstd.compress(page);
    }

    int measure(PageBytes plain) {
        return zstd.compress(plain);
    }

    @Override
    public void close() {
        zstd.close();
    }

    private record Range(int row, int rowEnd, int value, int valueEnd) {}

    private static Statistics<?> bounds(ColumnDescriptor column, PageStats stats, int value, int count, int nulls) {
        PrimitiveType type = column.getPrimitiveType();
        return stats.isBounded()
                ? stats.of(value, value + count, nulls)
                : Statistics.getBuilderForReading(type).build();
    }

    private void writeDictionary(Dictionary dictionary) throws IOException {
        int bytes = zstd.compress(dictionary.plain());
        out.writeDictionaryPage(new DictionaryPage(
                BytesInput.from(zstd.array(), 0, bytes),
                dictionary.plain().size(),
                dictionary.entries(),
                Encoding.PLAIN));
    }

    private void writePage(Presence presence, ValueEncoder values, Range range, Statistics<?> stats)
            throws IOException {
        page.clear();
        presence.write(page, range.row(), range.rowEnd());
        values.append(page, range.value(), range.valueEnd());
        int bytes = zstd.compress(page);
        int rows = range.rowEnd() - range.row();
        out.writeDataPage(
                rows,
                page.size(),
                BytesInput.from(zstd.array(), 0, bytes),
                stats,
                rows,
                Encoding.RLE,
                Encoding.RLE,
                values.encoding());
    }
}
