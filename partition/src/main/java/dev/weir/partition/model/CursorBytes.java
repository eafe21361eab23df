package dev.weir.partition.model;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.CRC32C;

/** What the texts of cursors are made of: a version, the check of the tenant, numbers as unsigned LEB128, and CRC-32C of all before; base64url without padding. */
final class CursorBytes {
    private static final int HEAD_BYTES = 5;
    private static final int CHECKSUM_BYTES = 4;

    private CursorBytes() {}

    /** The text that is being written. */
    static final class Writer {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream(64);

        Writer(int version, String tenant) {
            out.write(version);
            putInt(tenantCheck(tenant));
        }

        Writer number(long value) {
            long rest = value;
            while ((rest & ~0x7fL) != 0) {
                out.write((int) (rest & 0x7f) | 0x80);
                rest >>>= 7;
            }
            out.write((int) rest);
            return this;
        }

        Writer fixed(long value) {
            putInt((int) (value >>> Integer.SIZE));
            putInt((int) value);
            return this;
        }

        String text() {
            putInt(crc(out.toByteArray(), out.size()));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(out.toByteArray());
        }

        private void putInt(int value) {
            out.write(value >>> 24);
            out.write(value >>> 16);
            out.write(value >>> 8);
            out.write(value);
        }
    }

    /** The numbers of a text, in order. */
    static final class Reader {
        private final byte[] bytes;
        private int at = HEAD_BYTES;

        /** @throws BadCursorException damaged, of another version or tenant */
        Reader(String text, int version, String tenant) throws BadCursorException {
            this.bytes = bytes(text);
            int end = end();
            boolean isWhole = bytes.length >= HEAD_BYTES + 1 + CHECKSUM_BYTES && bytes[0] == version;
            if (!isWhole || crc(bytes, end) != getInt(end) || getInt(1) != tenantCheck(tenant)) {
                throw bad();
            }
        }

        long number() throws BadCursorException {
            long value = 0;
            for (int shift = 0; shift < 63; shift += 7) {
                if (at >= end()) {
                    throw bad();
                }
                byte b = bytes[at++];
                value |= (long) (b & 0x7f) << shift;
                if (b >= 0) {
                    return value;
                }
            }
            throw bad();
        }

        int int32() throws BadCursorException {
            long value = number();
            if (value > Integer.MAX_VALUE) {
                throw bad();
            }
            return (int) value;
        }

        long fixed() throws BadCursorException {
            if (at + Long.BYTES > end()) {
                throw bad();
            }
            long high = getInt(at);
            long low = getInt(at + Integer.BYTES) & 0xffff_ffffL;
            at += Long.BYTES;
            return (high << Integer.SIZE) | low;
        }

        void expectEnd() throws BadCursorException {
            if (at != end()) {
                throw bad();
            }
        }

        private int end() {
            return bytes.length - CHECKSUM_BYTES;
        }

        private int getInt(int from) {
            return (bytes[from] & 0xff) << 24
                    | (bytes[from + 1] & 0xff) << 16
                    | (bytes[from + 2] & 0xff) << 8
                    | (bytes[from + 3] & 0xff);
        }
    }

    /** 0 where the text is none. */
    static int version(String text) {
        try {
            byte[] bytes = bytes(text);
            return bytes.length == 0 ? 0 : bytes[0];
        } catch (BadCursorException e) {
            return 0;
        }
    }

    static BadCursorException bad() {
        return new BadCursorException(
                "not a cursor of this stream; expected the id of an event, a checkpoint or Weir-Commit as it was received");
    }

    private static byte[] bytes(String text) throws BadCursorException {
        try {
            return Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw bad();
        }
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
}
