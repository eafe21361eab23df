package dev.weir.partition.file;

import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.ParquetRuntimeException;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveComparator;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * A data file's footer: what the file says of itself and of its columns, without a look at its rows.
 *
 * @param bounds by field id; a column that some row group has no statistics of has no bounds
 */
public record DataFileFooter(DataFileInfo info, Map<Integer, ColumnBounds> bounds) {
    public DataFileFooter {
        bounds = Map.copyOf(bounds);
    }

    /** @throws IOException the file can't be read or is no data file of Weir's */
    public static DataFileFooter read(InputFile file) throws IOException {
        ParquetReadOptions options =
                ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
        try (SeekableInputStream in = file.newStream()) {
            ParquetMetadata footer = ParquetFileReader.readFooter(file, options, in);
            long rows = footer.getBlocks().stream()
                    .mapToLong(BlockMetaData::getRowCount)
                    .sum();
            return new DataFileFooter(
                    FooterCodec.decode(footer.getFileMetaData().getKeyValueMetaData(), rows), bounds(footer));
        } catch (ParquetRuntimeException e) {
            throw new IOException("no data file: " + e.getMessage(), e);
        }
    }

    private static Map<Integer, ColumnBounds> bounds(ParquetMetadata footer) {
        MessageType schema = footer.getFileMetaData().getSchema();
        Map<Integer, ColumnBounds> bounds = new HashMap<>();
        Set<Integer> unknown = new HashSet<>();
        for (BlockMetaData group : footer.getBlocks()) {
            for (ColumnChunkMetaData chunk : group.getColumns()) {
                Type.ID id = schema.getType(chunk.getPath().toArray()).getId();
                Statistics<?> statistics = chunk.getStatistics();
                if (id == null) {
                    continue;
                }
                if (statistics == null || !statistics.isNumNullsSet()) {
                    unknown.add(id.intValue());
                    continue;
                }
                boolean allNull = statistics.getNumNulls() == chunk.getValueCount();
                if (!allNull && !statistics.hasNonNullValue()) {
                    unknown.add(id.intValue());
                    continue;
                }
                ColumnDescriptor column =
                        schema.getColumnDescription(chunk.getPath().toArray());
                bounds.merge(
                        id.intValue(),
                        of(statistics),
                        (a, b) -> widened(a, b, column.getPrimitiveType().comparator()));
            }
        }
        bounds.keySet().removeAll(unknown);
        return bounds;
    }

    private static ColumnBounds of(Statistics<?> statistics) {
        return statistics.hasNonNullValue()
                ? new ColumnBounds(
                        statistics.getNumNulls(), plain(statistics.genericGetMin()), plain(statistics.genericGetMax()))
                : new ColumnBounds(statistics.getNumNulls(), null, null);
    }

    private static ColumnBounds widened(ColumnBounds a, ColumnBounds b, PrimitiveComparator<?> order) {
        return new ColumnBounds(
                a.nulls() + b.nulls(), outer(a.min(), b.min(), order, -1), outer(a.max(), b.max(), order, 1));
    }

    private static @Nullable Object outer(
            @Nullable Object a, @Nullable Object b, PrimitiveComparator<?> order, int sign) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        return compare(a, b, order) * sign >= 0 ? a : b;
    }

    private static int compare(Object a, Object b, PrimitiveComparator<?> order) {
        return switch (a) {
            case Integer value -> order.compare(value, (int) b);
            case Long value -> order.compare(value, (long) b);
            case Double value -> order.compare(value, (double) b);
            case Boolean value -> order.compare(value, (boolean) b);
            case byte[] bytes -> java.util.Arrays.compareUnsigned(bytes, (byte[]) b);
            default -> throw new IllegalArgumentException("a bound of type " + a.getClass());
        };
    }

    private static Object plain(Object value) {
        return value instanceof Binary binary ? binary.getBytes() : value;
    }
}
