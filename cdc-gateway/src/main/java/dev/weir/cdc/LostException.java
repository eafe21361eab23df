package dev.weir.cdc;

/** A stream stands before the oldest event that is kept: it can't go on without a hole. */
final class LostException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int partition;
    private final long wanted;
    private final long oldest;

    LostException(int partition, long wanted, long oldest) {
        super("partition " + partition + ": seq " + wanted + " is gone, the oldest kept is " + oldest);
        this.partition = partition;
        this.wanted = wanted;
        this.oldest = oldest;
    }

    int partition() {
        return partition;
    }

    long wanted() {
        return wanted;
    }

    long oldest() {
        return oldest;
    }
}
