package dev.weir.node.ingest.write;

import dev.weir.partition.entry.RowBlockBuilder;
import dev.weir.partition.model.TableSchema;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;

/** Builders of blocks that have grown already, for the next body. Holds a bounded number; used by one thread at a time. */
final class BuilderPool {
    private static final int BUILDERS_MAX = 32;
    /** Of rows; larger builders are let go. */
    private static final int BYTES_MAX = 256 << 10;

    private final IdentityHashMap<TableSchema, ArrayDeque<RowBlockBuilder>> free = new IdentityHashMap<>();
    private int count;

    RowBlockBuilder take(TableSchema schema) {
        ArrayDeque<RowBlockBuilder> builders = free.get(schema);
        RowBlockBuilder builder = builders == null ? null : builders.poll();
        if (builder == null) {
            return new RowBlockBuilder(schema.tenant(), schema);
        }
        count--;
        return builder;
    }

    void giveBack(RowBlockBuilder builder) {
        if (builder.estimatedBytes() > BYTES_MAX) {
            return;
        }
        builder.reset();
        if (count >= BUILDERS_MAX) {
            free.clear();
            count = 0;
        }
        free.computeIfAbsent(builder.schema(), schema -> new ArrayDeque<>()).push(builder);
        count++;
    }
}
