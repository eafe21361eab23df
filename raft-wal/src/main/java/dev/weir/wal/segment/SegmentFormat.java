package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * The bytes of a change segment, version 1. All numbers are big-endian; the checksums are CRC-32C.
 *
 * <pre>
 * file header, 20 bytes                           record, 28 bytes + payload
 *  at  size  what                                  at  size  what
 *   0     4  "WSEG"                                 0     4  checksum of everything after it in this record
 *   4     4  version, 1                             4     4  length of the payload, bytes
 *   8     8  seq of the first event                 8     8  seq of the record's first event
 *  16     4  checksum of the 16 bytes before       16     4  how many events, at least 1
 *                                                  20     8  commit time, ns since 1970
 *                                                  28     …  payload
 * </pre>
 *
 * <p>Records follow the header and one another without gaps. The first one's seq is the file header's, every later one's is the seq
 * before it plus the count before it. The name of the file is the seq of its first event, 20 decimal digits, and {@code .seg}.
 */
final class SegmentFormat {
    static final int FILE_HEADER_BYTES = 20;
    static final int RECORD_HEADER_BYTES = 28;
    static final int RECORD_CRC_BYTES = 4;
    static final int PAYLOAD_BYTES_MAX = 64 << 20;
    static final String SUFFIX = ".seg";

    private static final int MAGIC = 0x57534547;
    private static final int VERSION = 1;
    private static final int NAME_LENGTH = 20 + SUFFIX.length();

    private SegmentFormat() {}

    static String fileName(long firstSeq) {
        return String.format(Locale.ROOT, "%020d", firstSeq) + SUFFIX;
    }

    static boolean isFileName(String name) {
        return name.length() == NAME_LENGTH
                && name.endsWith(SUFFIX)
                && name.chars().limit(20).allMatch(c -> c >= '0' && c <= '9');
    }

    static void putFileHeader(ByteBuffer target, long firstSeq) {
        int start = target.position();
        target.putInt(MAGIC).putInt(VERSION).putLong(firstSeq);
        CRC32C crc = new CRC32C();
        crc.update(target.slice(start, 16));
        target.putInt((int) crc.getValue());
    }

    /** Refuses a file header that is not this version's for {@code firstSeq}. */
    static void checkFileHeader(ByteBuffer header, String file, long firstSeq) throws IOException {
        if (header.remaining() < FILE_HEADER_BYTES) {
            throw damaged(file, 0, "file header", FILE_HEADER_BYTES + " bytes", header.remaining() + " bytes");
        }
        int start = header.position();
        expect(file, start, "magic", hex(MAGIC), hex(header.getInt(start)));
        expect(file, 4, "version", VERSION, header.getInt(start + 4));
        expect(file, 8, "first seq", firstSeq, header.getLong(start + 8));
        CRC32C crc = new CRC32C();
        crc.update(header.slice(start, 16));
        expect(file, 16, "checksum of the file header", hex((int) crc.getValue()), hex(header.getInt(start + 16)));
    }

    /** Puts a record's header, its checksum left to be filled in. */
    static void putRecordHeader(ByteBuffer target, RecordHeader header) {
        target.putInt(0)
                .putInt(header.payloadBytes())
                .putLong(header.firstSeq())
                .putInt(header.count())
                .putLong(header.committedAtNanos());
    }

    /** Refuses a record whose bytes, header and payload, do not have the checksum that its header names. */
    static void checkRecord(ByteBuffer record, RecordHeader header, String file, long offset) throws IOException {
        CRC32C crc = new CRC32C();
        crc.update(record.slice(record.position() + RECORD_CRC_BYTES, header.recordBytes() - RECORD_CRC_BYTES));
        int found = (int) crc.getValue();
        if (found != header.crc()) {
            throw damaged(file, offset, "checksum of the record", hex(header.crc()), hex(found));
        }
    }

    static IOException damaged(String file, long offset, String what, Object expected, Object found) {
        return new IOException(
                "file " + file + ", offset " + offset + ": " + what + ": expected " + expected + ", found " + found);
    }

    static String hex(int value) {
        return String.format(Locale.ROOT, "%08x", value);
    }

    private static void expect(String file, long offset, String what, Object expected, Object found)
            throws IOException {
        if (!expected.equals(found)) {
            throw damaged(file, offset, what, expected, found);
        }
    }
}
