package dev.weir.partition.engine;

/** About how many distinct values were seen (HyperLogLog of 64 registers; off by an eighth or so), from the values alone. 64 bytes. */
final class DistinctEstimate {
    private static final int REGISTERS = 64;
    private static final double BIAS = 0.709;

    private final byte[] registers = new byte[REGISTERS];

    /** @param hash of the value, all bits well mixed */
    void add(long hash) {
        int register = (int) hash & (REGISTERS - 1);
        byte rank = (byte) (Long.numberOfLeadingZeros(hash | REGISTERS) + 1);
        if (rank > registers[register]) {
            registers[register] = rank;
        }
    }

    double count() {
        double sum = 0;
        int empty = 0;
        for (byte rank : registers) {
            sum += Math.scalb(1.0, -rank);
            empty += rank == 0 ? 1 : 0;
        }
        double raw = BIAS * REGISTERS * REGISTERS / sum;
        boolean small = raw <= 2.5 * REGISTERS && empty > 0;
        return small ? REGISTERS * Math.log((double) REGISTERS / empty) : raw;
    }
}
