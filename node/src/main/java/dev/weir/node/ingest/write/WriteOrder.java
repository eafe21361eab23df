package dev.weir.node.ingest.write;

import dev.weir.node.ingest.rows.RowSource;
import org.jspecify.annotations.Nullable;

/**
 * A body to be written.
 *
 * @param rows may be opened several times, each time giving the same rows
 * @param nowNanos the time of rows that bring none, the same for all of the body
 * @param idempotency where the client asked for it
 */
public record WriteOrder(
        String tenant,
        RowSource rows,
        long nowNanos,
        @Nullable Idempotency idempotency) {

    /**
     * @param key of the client
     * @param digest of the inflated body and of what else selects its meaning
     */
    public record Idempotency(String key, byte[] digest) {}
}
