package dev.weir.node.ingest;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Inflates gzip (RFC 1952), one or several members, strictly: checksum and length of each are held, and nothing but zero bytes may follow the last one.
 * The JDK's own stream takes broken bytes after a member for its end, and would lose rows without a word.
 */
final class Gzip {
    private static final int HEADER = 10;
    private static final int TRAILER = 8;

    private final byte[] body;
    private final int end;
    private final GrowingBody out;

    private Gzip(byte[] body, int end, GrowingBody out) {
        this.body = body;
        this.end = end;
        this.out = out;
    }

    /** @throws BadEncodingException the body is broken or cut off */
    static void inflate(byte[] body, int length, GrowingBody out) throws BadEncodingException {
        new Gzip(body, length, out).members();
    }

    private void members() throws BadEncodingException {
        int at = 0;
        do {
            at = member(at);
        } while (at < end && !onlyZeros(at));
    }

    private int member(int from) throws BadEncodingException {
        int at = headerEnd(from);
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(body, at, end - at);
            CRC32 crc = new CRC32();
            while (!inflater.finished()) {
                int room = out.room();
                int count = inflater.inflate(out.bytes(), out.length(), room);
                if (count == 0 && (inflater.needsInput() || inflater.needsDictionary())) {
                    throw new BadEncodingException("gzip body: cut off after " + (end - at) + " bytes of data");
                }
                crc.update(out.bytes(), out.length(), count);
                out.grown(count);
            }
            at = end - inflater.getRemaining();
            if (end - at < TRAILER) {
                throw new BadEncodingException("gzip body: cut off in the checksum");
            }
            if (int32(at) != (int) crc.getValue() || int32(at + 4) != (int) inflater.getBytesWritten()) {
                throw new BadEncodingException("gzip body: checksum or length is wrong");
            }
            return at + TRAILER;
        } catch (DataFormatException e) {
            throw new BadEncodingException("gzip body: broken data (" + e.getMessage() + ")");
        } finally {
            inflater.end();
        }
    }

    private int headerEnd(int from) throws BadEncodingException {
        if (end - from < HEADER || u8(from) != 0x1f || u8(from + 1) != 0x8b || u8(from + 2) != 8) {
            throw new BadEncodingException(
                    "Content-Encoding is gzip, but the body is not (no gzip header at byte " + from + ")");
        }
        int flags = u8(from + 3);
        int at = from + HEADER;
        if ((flags & 4) != 0) {
            need(at, 2);
            at += 2 + u8(at) + 256 * u8(at + 1);
        }
        if ((flags & 8) != 0) {
            at = afterZero(at);
        }
        if ((flags & 16) != 0) {
            at = afterZero(at);
        }
        if ((flags & 2) != 0) {
            at += 2;
        }
        need(at, 1);
        return at;
    }

    private int afterZero(int from) throws BadEncodingException {
        int at = from;
        do {
            need(at, 1);
        } while (body[at++] != 0);
        return at;
    }

    private void need(int at, int bytes) throws BadEncodingException {
        if (end - at < bytes) {
            throw new BadEncodingException("gzip body: cut off in the header");
        }
    }

    private boolean onlyZeros(int from) {
        for (int i = from; i < end; i++) {
            if (body[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private int u8(int at) {
        return body[at] & 0xff;
    }

    private int int32(int at) {
        return u8(at) | (u8(at + 1) << 8) | (u8(at + 2) << 16) | (u8(at + 3) << 24);
    }
}
