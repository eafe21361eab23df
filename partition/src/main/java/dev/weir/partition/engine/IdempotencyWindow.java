package dev.weir.partition.engine;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.IdempotencyUnit;
import dev.weir.partition.write.WriterConfig;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The clients' idempotency keys that this partition has seen, with the outcome of each chunk: a repeat appends nothing and gets the first
 * answer; the same key with another body is refused. Single-threaded; part of the replicated state.
 *
 * <p>A key is forgotten {@link #AGE_NANOS} after it was first seen (by entry time), or earlier, oldest first, where more than {@link #UNITS_MAX}
 * chunks or {@link #BYTES_MAX} are held.
 */
final class IdempotencyWindow {
    static final int UNITS_MAX = WriterConfig.IDEMPOTENCY_ENTRIES_MAX;
    static final int BYTES_MAX = 16 << 20;
    static final long AGE_NANOS = WriterConfig.IDEMPOTENCY_WINDOW_MAX.toNanos();
    private static final int KEY_BYTES = 160;
    private static final int UNIT_BYTES = 64;
    private static final int VOIDED_BYTES = 96;

    private final LinkedHashMap<Name, Key> keys = new LinkedHashMap<>();
    private int units;
    private long bytes;

    record Name(String tenant, String key) {}

    /** One key's body and what became of its chunks here. */
    static final class Key {
        private final Name name;
        private final byte[] digest;
        private final long firstSeen;
        private final TreeMap<Integer, AppendOutcome> chunks = new TreeMap<>();
        private long bytes;

        private Key(Name name, byte[] digest, long firstSeen) {
            this.name = name;
            this.digest = digest;
            this.firstSeen = firstSeen;
            this.bytes = KEY_BYTES + name.tenant().length() + 2L * name.key().length();
        }

        Name name() {
            return name;
        }

        byte[] digest() {
            return digest;
        }

        long firstSeen() {
            return firstSeen;
        }

        SortedMap<Integer, AppendOutcome> chunks() {
            return chunks;
        }
    }

    /** In the order in which they were first seen. */
    Collection<Key> keys() {
        return keys.values();
    }

    int units() {
        return units;
    }

    /** When the oldest key was first seen; the end of time where there is none. */
    long oldest() {
        Iterator<Key> oldest = keys.values().iterator();
        return oldest.hasNext() ? oldest.next().firstSeen : Long.MAX_VALUE;
    }

    /** What to answer without applying anything; null for a unit that was not seen, or whose window is over. */
    @Nullable
    AppendOutcome find(IdempotencyUnit unit, long now) {
        Key key = keys.get(new Name(unit.tenant(), unit.key()));
        if (key == null || key.firstSeen < now - AGE_NANOS) {
            return null;
        }
        if (!Arrays.equals(key.digest, unit.bodyDigest())) {
            return new AppendOutcome.Refused(Refusal.of(
                    ErrorCode.IDEMPOTENCY_MISMATCH,
                    "Idempotency-Key \"" + unit.key() + "\" was used with another body or other parameters"));
        }
        return key.chunks.get(unit.chunk());
    }

    /** Remembers the outcome of a unit for which {@link #find} answered null. */
    void remember(IdempotencyUnit unit, AppendOutcome outcome, long now) {
        expire(now - AGE_NANOS);
        restore(unit, outcome, now);
        evict(UNITS_MAX);
    }

    /** Of a manifest. */
    void restore(IdempotencyUnit unit, AppendOutcome outcome, long now) {
        Name name = new Name(unit.tenant(), unit.key());
        Key key = keys.computeIfAbsent(name, n -> {
            Key made = new Key(n, unit.bodyDigest().clone(), now);
            bytes += made.bytes;
            return made;
        });
        key.chunks.put(unit.chunk(), outcome);
        long size = size(outcome);
        key.bytes += size;
        bytes += size;
        units++;
    }

    /** Forgets keys first seen before a time; by remembering, and by an entry of its own on a quiet partition. */
    void expire(long beforeNanos) {
        Iterator<Key> oldest = keys.values().iterator();
        while (oldest.hasNext()) {
            Key key = oldest.next();
            if (key.firstSeen >= beforeNanos) {
                return;
            }
            oldest.remove();
            forget(key);
        }
    }

    /** Forgets the oldest keys until at most so many units are left. */
    void evict(int unitsMax) {
        while (units > unitsMax || bytes > BYTES_MAX) {
            removeOldest();
        }
    }

    private void removeOldest() {
        Iterator<Key> oldest = keys.values().iterator();
        Key key = oldest.next();
        oldest.remove();
        forget(key);
    }

    private void forget(Key key) {
        units -= key.chunks.size();
        bytes -= key.bytes;
    }

    private static long size(AppendOutcome outcome) {
        return outcome instanceof AppendOutcome.Applied applied
                ? UNIT_BYTES + (long) VOIDED_BYTES * applied.voided().size()
                : UNIT_BYTES;
    }
}
