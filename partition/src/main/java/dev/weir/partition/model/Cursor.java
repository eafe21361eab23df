package dev.weir.partition.model;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * A place in the change stream: per partition the seq of the next event. Opaque to users, valid on any node, bound to a tenant.
 *
 * <p>Text: base64url without padding of version (1 byte, 1), tenant check (4 bytes, CRC-32C of the tenant's name), number of partitions, then
 * partition and next seq of each (unsigned LEB128, partitions ascending), and CRC-32C (4 bytes big-endian) of all before. Also read:
 * {@code <text>;<partition>:<next>}, the place after one event of a run (the id of a Server-Sent Event), and {@code <partition>:<seq>[,…]}
 * written by hand, which means: after that seq.
 */
public record Cursor(SortedMap<Integer, Long> next) {
    private static final int VERSION = 1;
    private static final int PARTITIONS_MAX = 65536;

    public Cursor {
        next = Collections.unmodifiableSortedMap(new TreeMap<>(next));
    }

    public static Cursor of(int partition, long next) {
        return new Cursor(new TreeMap<>(java.util.Map.of(partition, next)));
    }

    /** This cursor with one partition moved. */
    public Cursor with(int partition, long nextSeq) {
        TreeMap<Integer, Long> moved = new TreeMap<>(next);
        moved.put(partition, nextSeq);
        return new Cursor(moved);
    }

    /** Per partition the later of both. */
    public Cursor max(Cursor other) {
        TreeMap<Integer, Long> merged = new TreeMap<>(next);
        other.next.forEach((partition, seq) -> merged.merge(partition, seq, Math::max));
        return new Cursor(merged);
    }

    public String encode(String tenant) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(16 + next.size() * 6);
        out.write(VERSION);
        putInt(out, tenantCheck(tenant));
        putVarint(out, next.size());
        next.forEach((partition, seq) -> {
            putVarint(out, partition);
            putVarint(out, seq);
        });
        putInt(out, crc(out.toByteArray(), out.size()));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out.toByteArray());
    }

    /** @throws BadCursorException the text is damaged, of another version, or of another tenant */
    public static Cursor decode(String text, String tenant) throws BadCursorException {
        String trimmed = text.strip();
        int semicolon = trimmed.indexOf(';');
        if (semicolon >= 0) {
            Cursor base = decodeBase(trimmed.substring(0, semicolon), tenant);
            String[] place = trimmed.substring(semicolon + 1).split(":", -1);
            if (place.length != 2) {
                throw bad();
            }
            return base.with(partition(place[0]), seq(place[1]));
        }
        if (trimmed.indexOf(':') >= 0) {
            TreeMap<Integer, Long> next = new TreeMap<>();
            for (String part : trimmed.split(",", -1)) {
                String[] place = part.strip().split(":", -1);
                if (place.length != 2) {
                    throw bad();
                }
                next.put(partition(place[0]), Math.addExact(seq(place[1]), 1));
            }
            return new Cursor(next);
        }
        return decodeBase(trimmed, tenant);
    }

    private static Cursor decodeBase(String text, String tenant) throws BadCursorException {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw bad();
        }
        if (bytes.length < 10 || bytes[0] != VERSION) {
            throw bad();
        }
        int end = bytes.length - 4;
        if (crc(bytes, end) != getInt(bytes, end) || getInt(bytes, 1) != tenantCheck(tenant)) {
            throw bad();
        }
        int[] at = {5};
        long count = getVarint(bytes, at, end);
        if (count > PARTITIONS_MAX) {
            throw bad();
        }
        TreeMap<Integer, Long> next = new TreeMap<>();
        for (long i = 0; i < count; i++) {
            long partition = getVarint(bytes, at, end);
            if (partition > Integer.MAX_VALUE) {
                throw bad();
            }
            next.put((int) partition, getVarint(bytes, at, end));
        }
        if (at[0] != end) {
            throw bad();
        }
        return new Cursor(next);
    }

    private static int partition(String text) throws BadCursorException {
        try {
            return Integer.parseUnsignedInt(text);
        } catch (NumberFormatException e) {
            throw bad();
        }
    }

    private static long seq(String text) throws BadCursorException {
        try {
            long seq = Long.parseLong(text);
            if (seq < 0 || seq == Long.MAX_VALUE) {
                throw bad();
            }
            return seq;
        } catch (NumberFormatException e) {
            throw bad();
        }
    }

    private static BadCursorException bad() {
        return new BadCursorException(
                "not a cursor of this stream; expected the id of an event, a checkpoint or Weir-Commit as it was received");
    }

    private static int tenantCheck(String tenant) {
        byte[] name = tenant.getBytes(StandardCharsets.UTF_8);
        return crc(name, name.length);
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }

    private static void putInt(ByteArrayOutputStream out, int value) {
        out.write(value >>> 24);
        out.write(value >>> 16);
        out.write(value >>> 8);
        out.write(value);
    }

    private static int getInt(byte[] bytes, int at) {
        return (bytes[at] & 0xff) << 24
                | (bytes[at + 1] & 0xff) << 16
                | (bytes[at + 2] & 0xff) << 8
                | (bytes[at + 3] & 0xff);
    }

    private static void putVarint(ByteArrayOutputStream out, long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            out.write((int) (rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    private static long getVarint(byte[] bytes, int[] at, int end) throws BadCursorException {
        long value = 0;
        for (int shift = 0; shift < 63; shift += 7) {
            if (at[0] >= end) {
                throw bad();
            }
            byte b = bytes[at[0]++];
            value |= (long) (b & 0x7f) << shift;
            if (b >= 0) {
                return value;
            }
        }
        throw bad();
    }
}
