package dev.weir.cdc.consumer;

import java.util.Base64;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * What a cursor of the stream says: per partition the seq of the next event. For those who want to know whether one place lies before another; to resume,
 * hand the text back as it came.
 *
 * <p>Reads the header {@code Weir-Cursor}, a checkpoint's cursor and the id of an event ({@code <cursor>;<partition>:<next>}).
 */
public record CursorVector(SortedMap<Integer, Long> next) {
    private static final int VERSION = 1;
    private static final int HEAD = 5;
    private static final int CHECKSUM = 4;

    public CursorVector {
        next = Collections.unmodifiableSortedMap(new TreeMap<>(next));
    }

    /** @throws IllegalArgumentException the text is no cursor of this version, or damaged */
    public static CursorVector parse(String text) {
        int semicolon = text.indexOf(';');
        CursorVector base = new CursorVector(new Reader(semicolon < 0 ? text : text.substring(0, semicolon)).read());
        if (semicolon < 0) {
            return base;
        }
        String[] place = text.substring(semicolon + 1).split(":", -1);
        if (place.length != 2) {
            throw bad(text);
        }
        return base.with(Integer.parseInt(place[0]), Long.parseLong(place[1]));
    }

    /** This with one partition moved. */
    public CursorVector with(int partition, long nextSeq) {
        SortedMap<Integer, Long> moved = new TreeMap<>(next);
        moved.put(partition, nextSeq);
        return new CursorVector(moved);
    }

    private static IllegalArgumentException bad(String text) {
        return new IllegalArgumentException("expected a cursor of the change stream, found " + text);
    }

    /** version | tenant check (4 bytes) | count | (partition, next seq) … | CRC-32C (4 bytes); numbers as LEB128. */
    private static final class Reader {
        private final String text;
        private final byte[] bytes;
        private final int end;
        private int at = HEAD;

        Reader(String text) {
            this.text = text;
            this.bytes = decoded(text);
            this.end = bytes.length - CHECKSUM;
        }

        private static byte[] decoded(String text) {
            try {
                return Base64.getUrlDecoder().decode(text.strip());
            } catch (IllegalArgumentException e) {
                throw bad(text);
            }
        }

        SortedMap<Integer, Long> read() {
            if (end <= HEAD || bytes[0] != VERSION || !checksumHolds()) {
                throw bad(text);
            }
            SortedMap<Integer, Long> next = new TreeMap<>();
            for (long left = number(); left > 0; left--) {
                int partition = Math.toIntExact(number());
                next.put(partition, number());
            }
            if (at != end) {
                throw bad(text);
            }
            return next;
        }

        private boolean checksumHolds() {
            CRC32C crc = new CRC32C();
            crc.update(bytes, 0, end);
            int found = 0;
            for (int i = end; i < bytes.length; i++) {
                found = (found << 8) | (bytes[i] & 0xff);
            }
            return (int) crc.getValue() == found;
        }

        private long number() {
            long value = 0;
            for (int shift = 0; shift < 63; shift += 7) {
                if (at >= end) {
                    throw bad(text);
                }
                byte part = bytes[at++];
                value |= (part & 0x7fL) << shift;
                if (part >= 0) {
                    return value;
                }
            }
            throw bad(text);
        }
    }
}
