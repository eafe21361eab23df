package dev.weir.partition.engine;

import java.time.Duration;

/**
 * When files are made of buffers, and when they go.
 *
 * @param orphanAge {@code store.orphan-age}: a file that belongs to nobody is removed so long after it was first seen so; longer than any statement.
 *     What may still be committed is safe at any age, see {@link PartitionFlusher#sweep}
 */
public record FilePolicy(FlushPolicy flush, Duration orphanAge) {
    public static final FilePolicy DEFAULT = new FilePolicy(FlushPolicy.DEFAULT, Duration.ofHours(1));

    public FilePolicy {
        if (orphanAge.isNegative() || orphanAge.isZero()) {
            throw new IllegalArgumentException("store.orphan-age: expected more than 0, found " + orphanAge);
        }
    }
}
