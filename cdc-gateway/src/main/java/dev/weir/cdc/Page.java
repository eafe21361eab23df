package dev.weir.cdc;

/** Events of one partition from some seq on, encoded for one kind of stream. Immutable; shared by all who read at this place. */
interface Page {
    int partition();

    /** Where the page after this one begins; equals the seq it was asked for where there was nothing to read. */
    long nextSeq();

    /** Whether a reader that stands there may take the rest of it. */
    boolean servesFrom(long seq);

    /** Bytes that it holds. */
    long weight();
}
