package dev.weir.partition.store;

import java.nio.charset.StandardCharsets;

/** Checks of keys at the border of a store, and their order. */
final class ObjectKeys {
    private ObjectKeys() {}

    /** @throws StoreException of kind INVALID, naming the rule that the key breaks */
    static String check(String key) throws StoreException {
        if (key.getBytes(StandardCharsets.UTF_8).length > ObjectStore.KEY_BYTES_MAX) {
            throw invalid(key, "at most " + ObjectStore.KEY_BYTES_MAX + " bytes");
        }
        if (key.indexOf('\0') >= 0 || key.indexOf('\\') >= 0) {
            throw invalid(key, "no NUL and no backslash");
        }
        for (String segment : key.split("/", -1)) {
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw invalid(key, "segments between '/' that are not empty, '.' or '..'");
            }
        }
        return key;
    }

    static void checkPage(int max) throws StoreException {
        if (max < 1 || max > 1000) {
            throw new StoreException(StoreException.Kind.INVALID, "list: expected a page of 1 to 1000, found " + max);
        }
    }

    /** By UTF-8 bytes, as object stores list. */
    static int compare(String a, String b) {
        return java.util.Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    private static StoreException invalid(String key, String expected) {
        return new StoreException(
                StoreException.Kind.INVALID, "key '" + key.replace('\0', '?') + "': expected " + expected);
    }
}
