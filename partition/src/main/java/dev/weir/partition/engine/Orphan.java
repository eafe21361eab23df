package dev.weir.partition.engine;

import java.time.Instant;

/**
 * An object in the store that belongs to nobody.
 *
 * @param modifiedAt an object that was put again under the same key is another one
 * @param sinceNanos when the leader first saw it so, by {@link System#nanoTime}
 * @param ageNanos it goes so long after that
 * @param mayGo false while it is not known whether readers of a published table still need it
 */
public record Orphan(String key, long bytes, Instant modifiedAt, long sinceNanos, long ageNanos, boolean mayGo) {
    Orphan kept() {
        return new Orphan(key, bytes, modifiedAt, sinceNanos, ageNanos, false);
    }
}
