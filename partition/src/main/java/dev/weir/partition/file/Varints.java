package dev.weir.partition.file;

/** Unsigned LEB128, as Parquet's run lengths are. */
final class Varints {
    private Varints() {}

    static void put(PageBytes out, int value) {
        int left = value;
        while ((left & ~0x7f) != 0) {
            out.putByte((left & 0x7f) | 0x80);
            left >>>= 7;
        }
        out.putByte(left);
    }
}
