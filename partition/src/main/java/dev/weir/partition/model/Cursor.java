package dev.weir.partition.model;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

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
        CursorBytes.Writer out = new CursorBytes.Writer(VERSION, tenant).number(next.size());
        next.forEach((partition, seq) -> out.number(partition).number(seq));
        return out.text();
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
        CursorBytes.Reader in = new CursorBytes.Reader(text, VERSION, tenant);
        long count = in.number();
        if (count > PARTITIONS_MAX) {
            throw bad();
        }
        TreeMap<Integer, Long> next = new TreeMap<>();
        for (long i = 0; i < count; i++) {
            next.put(in.int32(), in.number());
        }
        in.expectEnd();
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
        return CursorBytes.bad();
    }
}
