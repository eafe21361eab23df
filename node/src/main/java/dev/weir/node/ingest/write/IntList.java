package dev.weir.node.ingest.write;

import java.util.Arrays;

/** A growing list of ints. */
final class IntList {
    private int[] items;
    private int size;

    IntList(int room) {
        items = new int[Math.max(4, room)];
    }

    void add(int item) {
        if (size == items.length) {
            items = Arrays.copyOf(items, size * 2);
        }
        items[size++] = item;
    }

    void addAll(IntList other) {
        if (items.length - size < other.size) {
            items = Arrays.copyOf(items, Math.max(size + other.size, size * 2));
        }
        System.arraycopy(other.items, 0, items, size, other.size);
        size += other.size;
    }

    int get(int index) {
        return items[index];
    }

    int size() {
        return size;
    }

    void sort() {
        Arrays.sort(items, 0, size);
    }

    /** Where the item is or would be inserted, as {@link Arrays#binarySearch(int[], int)}. */
    int search(int item) {
        return Arrays.binarySearch(items, 0, size, item);
    }
}
