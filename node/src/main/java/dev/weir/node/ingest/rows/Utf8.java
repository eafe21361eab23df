package dev.weir.node.ingest.rows;

/** Checks that bytes are UTF-8: no overlong form, no surrogate, nothing past U+10FFFF. */
final class Utf8 {
    private Utf8() {}

    /** Where the first byte stands that belongs to no character, or {@code end}. */
    static int firstInvalid(byte[] bytes, int from, int end) {
        int i = from;
        while (i < end) {
            int lead = bytes[i];
            if (lead >= 0) {
                i++;
                continue;
            }
            int length = lengthOf(lead & 0xff);
            if (length == 0 || i + length > end || !continues(bytes, i, length)) {
                return i;
            }
            i += length;
        }
        return end;
    }

    private static int lengthOf(int lead) {
        if (lead >= 0xc2 && lead <= 0xdf) {
            return 2;
        }
        if (lead >= 0xe0 && lead <= 0xef) {
            return 3;
        }
        return lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
    }

    private static boolean continues(byte[] bytes, int at, int length) {
        for (int i = 1; i < length; i++) {
            if ((bytes[at + i] & 0xc0) != 0x80) {
                return false;
            }
        }
        int second = bytes[at + 1] & 0xff;
        return switch (bytes[at] & 0xff) {
            case 0xe0 -> second >= 0xa0;
            case 0xed -> second <= 0x9f;
            case 0xf0 -> second >= 0x90;
            case 0xf4 -> second <= 0x8f;
            default -> true;
        };
    }
}
