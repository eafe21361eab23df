package dev.weir.cdc;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.model.TableSchema;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.jspecify.annotations.Nullable;

/** The values of {@code layout=}. */
enum StreamLayout {
    /** All columns of {@link CdcLayout#FULL}. */
    FULL("full", CdcLayout.FULL),
    FIXED("fixed", CdcLayout.FIXED),
    /** Columns of the table that the rows are of ({@link TypedColumns}). */
    TYPED("typed", null);

    private static final Map<CdcLayout, IpcSchema> PLAIN = new EnumMap<>(Map.of(
            CdcLayout.FULL,
            new IpcSchema(CdcLayout.FULL.schema()),
            CdcLayout.FIXED,
            new IpcSchema(CdcLayout.FIXED.schema())));

    private final String wireName;
    private final @Nullable CdcLayout plain;

    StreamLayout(String wireName, @Nullable CdcLayout plain) {
        this.wireName = wireName;
        this.plain = plain;
    }

    String wireName() {
        return wireName;
    }

    static Optional<StreamLayout> of(String wireName) {
        return Arrays.stream(values())
                .filter(layout -> layout.wireName.equals(wireName))
                .findFirst();
    }

    static IpcSchema plainSchema(CdcLayout layout) {
        IpcSchema known = PLAIN.get(layout);
        if (known == null) {
            throw new IllegalStateException("no schema of " + layout);
        }
        return known;
    }

    /**
     * What a stream begins with.
     *
     * @param table the one table that it is about, where that is known
     */
    IpcSchema opening(Optional<TableSchema> table) {
        return plain != null ? plainSchema(plain) : new IpcSchema(TypedColumns.schema(table));
    }

    BatchMaker maker(ChangeBatch first, boolean zstd, int rowsExpected, BufferAllocator allocator) {
        return plain != null
                ? new PlainMaker(plain, zstd, rowsExpected, allocator)
                : new TypedMaker(first.schema(), zstd, rowsExpected, allocator);
    }
}
