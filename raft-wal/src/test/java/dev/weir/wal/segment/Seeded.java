package dev.weir.wal.segment;

/** A small generator (splitmix64) of which a test prints the seed, so that a failure can be run again. */
final class Seeded {
    private long state;

    Seeded(long seed) {
        this.state = seed;
    }

    long nextLong() {
        state += 0x9E3779B97F4A7C15L;
        long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /** From 0 to {@code bound} - 1. */
    int below(int bound) {
        return (int) Long.remainderUnsigned(nextLong(), bound);
    }

    boolean oneIn(int n) {
        return below(n) == 0;
    }

    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) nextLong();
        }
        return bytes;
    }
}
