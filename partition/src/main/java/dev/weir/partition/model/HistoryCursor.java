package dev.weir.partition.model;

import java.util.HexFormat;

/**
 * A place within history that a lease holds: what comes before it was delivered. Opaque to users, valid on any node while the lease is, bound to a tenant.
 *
 * <p>Text: as {@link Cursor}, but version 2: tenant check, lease id (8 bytes, big-endian), then as unsigned LEB128 partition, table id, day since 1970 (zigzag), and
 * row, and CRC-32C. Everything of smaller partitions, of smaller tables of the partition and of earlier days of the table was delivered, and so many rows of the
 * day.
 *
 * @param leaseId 16 hex digits
 */
public record HistoryCursor(String leaseId, int partition, int tableId, long day, long row) {
    private static final int VERSION = 2;
    private static final HexFormat HEX = HexFormat.of();

    /** Where a lease's history begins. */
    public static HistoryCursor first(String leaseId) {
        return new HistoryCursor(leaseId, 0, 0, Integer.MIN_VALUE, 0);
    }

    public HistoryCursor at(int newPartition, int newTableId, long newDay, long newRow) {
        return new HistoryCursor(leaseId, newPartition, newTableId, newDay, newRow);
    }

    /** Where what follows a partition begins: everything of it was delivered. */
    public HistoryCursor past(int delivered) {
        return at(delivered + 1, 0, Integer.MIN_VALUE, 0);
    }

    public static boolean isOne(String text) {
        return CursorBytes.version(text.strip()) == VERSION;
    }

    public String encode(String tenant) {
        return new CursorBytes.Writer(VERSION, tenant)
                .fixed(HexFormat.fromHexDigitsToLong(leaseId))
                .number(partition)
                .number(tableId)
                .number((day << 1) ^ (day >> (Long.SIZE - 1)))
                .number(row)
                .text();
    }

    /** @throws BadCursorException the text is damaged, of another version, or of another tenant */
    public static HistoryCursor decode(String text, String tenant) throws BadCursorException {
        CursorBytes.Reader in = new CursorBytes.Reader(text.strip(), VERSION, tenant);
        String leaseId = HEX.toHexDigits(in.fixed());
        int partition = in.int32();
        int tableId = in.int32();
        long zigzag = in.number();
        HistoryCursor cursor =
                new HistoryCursor(leaseId, partition, tableId, (zigzag >>> 1) ^ -(zigzag & 1), in.number());
        in.expectEnd();
        return cursor;
    }
}
