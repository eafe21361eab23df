package dev.weir.partition.file;

import org.jspecify.annotations.Nullable;

/** Cursors with the one that stands first on top. */
final class RowHeap {
    private final RowCursor[] heap;
    private int size;

    RowHeap(int capacity) {
        this.heap = new RowCursor[capacity];
    }

    void add(RowCursor cursor) {
        if (cursor.atEnd()) {
            return;
        }
        int at = size++;
        heap[at] = cursor;
        while (at > 0 && heap[at].compare(heap[(at - 1) / 2]) < 0) {
            swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    @Nullable
    RowCursor first() {
        return size == 0 ? null : heap[0];
    }

    @Nullable
    RowCursor second() {
        if (size < 2) {
            return null;
        }
        return size == 2 || heap[1].compare(heap[2]) <= 0 ? heap[1] : heap[2];
    }

    /** Puts the heap in order again after the first cursor moved on or ended. */
    void restore() {
        if (heap[0].atEnd()) {
            size--;
            heap[0] = heap[size];
        }
        int at = 0;
        while (true) {
            int least = least(at, 2 * at + 1, 2 * at + 2);
            if (least == at) {
                return;
            }
            swap(at, least);
            at = least;
        }
    }

    private int least(int a, int b, int c) {
        int least = b < size && heap[b].compare(heap[a]) < 0 ? b : a;
        return c < size && heap[c].compare(heap[least]) < 0 ? c : least;
    }

    private void swap(int a, int b) {
        RowCursor moved = heap[a];
        heap[a] = heap[b];
        heap[b] = moved;
    }
}
