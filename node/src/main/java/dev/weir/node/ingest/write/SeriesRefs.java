package dev.weir.node.ingest.write;

import dev.weir.node.ingest.rows.SeriesHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that a block has given to series, found by the object of the series, so that a known one is not compared byte for byte again. An equal
 * series in another object is found by the block itself. Open addressing, at most half full.
 */
final class SeriesRefs {
    static final int UNKNOWN = -1;

    private @Nullable SeriesHandle[] handles = new @Nullable SeriesHandle[32];
    private int[] refs = new int[32];
    private int count;

    @SuppressWarnings("ReferenceEquality") // by object on purpose
    int find(SeriesHandle series) {
        int mask = handles.length - 1;
        for (int i = place(series, mask); ; i = (i + 1) & mask) {
            SeriesHandle there = handles[i];
            if (there == series) {
                return refs[i];
            }
            if (there == null) {
                return UNKNOWN;
            }
        }
    }

    void add(SeriesHandle series, int ref) {
        if (++count * 2 > handles.length) {
            grow();
        }
        insert(series, ref);
    }

    private void insert(SeriesHandle series, int ref) {
        int mask = handles.length - 1;
        int i = place(series, mask);
        while (handles[i] != null) {
            i = (i + 1) & mask;
        }
        handles[i] = series;
        refs[i] = ref;
    }

    private void grow() {
        @Nullable SeriesHandle[] oldHandles = handles;
        int[] oldRefs = refs;
        handles = new @Nullable SeriesHandle[oldHandles.length * 2];
        refs = Arrays.copyOf(oldRefs, handles.length);
        for (int i = 0; i < oldHandles.length; i++) {
            SeriesHandle handle = oldHandles[i];
            if (handle != null) {
                insert(handle, oldRefs[i]);
            }
        }
    }

    private static int place(SeriesHandle series, int mask) {
        return (int) (series.hash() >>> 20) & mask;
    }
}
