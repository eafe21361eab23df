package dev.weir.wal;

import java.util.UUID;

/** Names one replicated log: one generation of one partition, or the catalog. */
public record LogGroupId(UUID value) {
    @Override
    public String toString() {
        return value.toString();
    }
}
