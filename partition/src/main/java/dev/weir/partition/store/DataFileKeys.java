package dev.weir.partition.store;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.HexFormat;

/**
 * Keys of data files, readable and partitioned by day the way that Hive does it:
 *
 * <pre>{@code
 * <tenant>/<table>-<table id>/date=YYYY-MM-DD/p<partition>-<first seq>-<last seq>-<digest>.parquet
 * }</pre>
 *
 * <p>Names of tenants and tables are percent-encoded: ASCII letters, digits, {@code _} and {@code -} stand for themselves, and {@code .}
 * except at the beginning; every other byte of the UTF-8 is {@code %XX}. So no name makes a path, and no name but the day reads as
 * {@code key=value}. What is longer than {@link #NAME_BYTES_MAX} is cut there and closed by {@code ~} and 16 hex digits of the name's
 * SHA-256; {@code ~} stands nowhere else, so different names stay different. The digest is the first 8 bytes of the file's SHA-256 in hex.
 */
public final class DataFileKeys {
    /** Bytes of an encoded name before the digest that stands for the rest. */
    static final int NAME_BYTES_MAX = 96;

    private static final int NAME_DIGEST_BYTES = 8;
    private static final int FILE_DIGEST_BYTES = 8;
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private DataFileKeys() {}

    /**
     * @param tableId keeps a table apart from a dropped one of the same name, and from names that differ in case only
     * @param day in UTC
     * @param sha256 of the file: writing the same rows again gives the same key
     */
    public static String dataFile(
            String tenant,
            String table,
            int tableId,
            LocalDate day,
            int partition,
            long firstSeq,
            long lastSeq,
            byte[] sha256) {
        String digest = HexFormat.of().formatHex(sha256, 0, FILE_DIGEST_BYTES);
        return tablePrefix(tenant, table, tableId) + "date=" + day + "/p" + partition + "-" + firstSeq + "-" + lastSeq
                + "-" + digest + ".parquet";
    }

    /** What all keys of a table begin with. */
    public static String tablePrefix(String tenant, String table, int tableId) {
        return encode(tenant) + "/" + encode(table) + "-" + tableId + "/";
    }

    /** What all keys of a tenant's tables begin with. */
    public static String tenantPrefix(String tenant) {
        return encode(tenant) + "/";
    }

    /** Whether the key lies under a table of that name, whichever id it has or had. */
    public static boolean isOfTable(String key, String tenant, String table) {
        String name = tenantPrefix(tenant) + encode(table) + "-";
        int id = name.length();
        int end = key.indexOf('/', id);
        return key.startsWith(name)
                && end > id
                && key.chars().skip(id).limit(end - id).allMatch(c -> c >= '0' && c <= '9');
    }

    /** @param name not empty */
    static String encode(String name) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name of a tenant or table: expected some text, found none");
        }
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        StringBuilder out = new StringBuilder();
        for (byte b : utf8) {
            boolean plain = isPlain(b) || (b == '.' && !out.isEmpty());
            if (out.length() + (plain ? 1 : 3) > NAME_BYTES_MAX) {
                return out.append('~')
                        .append(HexFormat.of().formatHex(digest(utf8), 0, NAME_DIGEST_BYTES))
                        .toString();
            }
            if (plain) {
                out.append((char) b);
            } else {
                out.append('%').append(HEX.toHexDigits(b));
            }
        }
        return out.toString();
    }

    private static boolean isPlain(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_' || b == '-';
    }

    private static byte[] digest(byte[] utf8) {
        return Sha256.start().digest(utf8);
    }
}
