package dev.weir.partition.catalog;

import java.util.Locale;

/** What a token may do. ADMIN is cluster-wide and reads no data. */
public enum Scope {
    WRITE,
    READ,
    CDC,
    ADMIN;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
