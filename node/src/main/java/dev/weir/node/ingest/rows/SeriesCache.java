package dev.weir.node.ingest.rows;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Known series by the raw bytes of measurement and tags. Four places for a hash; a newcomer to a full group replaces one of them. Never locks:
 * entries are whole when they become visible.
 */
final class SeriesCache {
    private static final int WAYS = 4;
    /** Of an entry, with its raw and canonical bytes. */
    private static final int BYTES_PER_ENTRY = 640;
    /** Longer ones are parsed each time. */
    private static final int RAW_BYTES_MAX = 1024;

    private final AtomicReferenceArray<@Nullable SeriesHandle> places;
    private final int mask;

    SeriesCache(long bytesMax) {
        int size = (int) Math.min(1 << 22, Long.highestOneBit(Math.max(64, bytesMax / BYTES_PER_ENTRY)));
        places = new AtomicReferenceArray<>(size);
        mask = size / WAYS - 1;
    }

    @Nullable
    SeriesHandle find(TenantNames tenant, byte[] body, int from, int end, long hash) {
        int group = group(hash);
        for (int i = group; i < group + WAYS; i++) {
            SeriesHandle handle = places.getAcquire(i);
            if (handle != null
                    && handle.rawHash == hash
                    && handle.table().tenant() == tenant
                    && Arrays.equals(handle.raw, 0, handle.raw.length, body, from, end)) {
                return handle;
            }
        }
        return null;
    }

    void keep(SeriesHandle handle) {
        if (handle.raw.length > RAW_BYTES_MAX) {
            return;
        }
        int group = group(handle.rawHash);
        int place = group + (int) (handle.rawHash >>> 62);
        for (int i = group; i < group + WAYS; i++) {
            if (places.getAcquire(i) == null) {
                place = i;
                break;
            }
        }
        places.setRelease(place, handle);
    }

    private int group(long hash) {
        return ((int) (hash >>> 20) & mask) * WAYS;
    }
}
