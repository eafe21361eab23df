package dev.weir.node.ingest.rows;

import dev.weir.partition.model.SeriesHash;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The names in use in one table, found by the bytes that bodies write them with. Shared by threads. */
public final class TableNames {
    private static final int NAMES_MAX = 4096;

    private final TenantNames tenant;
    private final String table;
    private final @Nullable RowFault fault;
    private final long hashOfTable;
    private final ConcurrentHashMap<String, Name> byText = new ConcurrentHashMap<>();
    /** Open addressing, at most half full; replaced as a whole when a name is added. */
    private volatile @Nullable RawName[] byRaw = new @Nullable RawName[32];

    private int rawCount;

    private record RawName(byte[] raw, long hash, Name name) {}

    TableNames(TenantNames tenant, String table) {
        this.tenant = tenant;
        this.table = table;
        this.fault = NameRule.table(table);
        ByteArrayOutputStream prefix = new ByteArrayOutputStream(64);
        CanonicalTags.put(prefix, tenant.tenant());
        CanonicalTags.put(prefix, table);
        this.hashOfTable = SeriesHash.add(SeriesHash.start(), prefix.toByteArray(), 0, prefix.size());
    }

    public String table() {
        return table;
    }

    TenantNames tenant() {
        return tenant;
    }

    /** Why no table may be called so; null if one may. */
    @Nullable
    RowFault fault() {
        return fault;
    }

    /** The hash of a series of this table. */
    long seriesHash(byte[] canonicalTags, int length) {
        return SeriesHash.add(hashOfTable, canonicalTags, 0, length);
    }

    /** The name written as these bytes of line protocol, escapes and all. */
    Name name(byte[] body, int from, int end) {
        long hash = ByteScan.hash(body, from, end);
        @Nullable RawName[] slots = byRaw;
        int mask = slots.length - 1;
        for (int i = (int) hash & mask; ; i = i + 1 & mask) {
            RawName slot = slots[i];
            if (slot == null) {
                break;
            }
            if (slot.hash == hash && Arrays.equals(slot.raw, 0, slot.raw.length, body, from, end)) {
                return slot.name;
            }
        }
        Name name = name(Escapes.name(body, from, end));
        if (name.fault() == null) {
            keep(new RawName(Arrays.copyOfRange(body, from, end), hash, name));
        }
        return name;
    }

    Name name(String text) {
        Name known = byText.get(text);
        if (known != null) {
            return known;
        }
        Name name = new Name(text);
        if (name.fault() != null || byText.size() >= NAMES_MAX) {
            return name;
        }
        Name other = byText.putIfAbsent(text, name);
        if (other != null) {
            return other;
        }
        tenant.counted();
        return name;
    }

    private synchronized void keep(RawName added) {
        if (rawCount >= NAMES_MAX) {
            return;
        }
        @Nullable RawName[] old = byRaw;
        int size = (rawCount + 1) * 2 > old.length ? old.length * 2 : old.length;
        @Nullable RawName[] grown = new @Nullable RawName[size];
        for (RawName each : old) {
            if (each != null) {
                insert(grown, each);
            }
        }
        insert(grown, added);
        rawCount++;
        byRaw = grown;
    }

    private static void insert(@Nullable RawName[] slots, RawName added) {
        int mask = slots.length - 1;
        int i = (int) added.hash & mask;
        while (slots[i] != null) {
            i = i + 1 & mask;
        }
        slots[i] = added;
    }
}
