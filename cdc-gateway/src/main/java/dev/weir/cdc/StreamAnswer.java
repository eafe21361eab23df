package dev.weir.cdc;

import org.jspecify.annotations.Nullable;

/** How a request for a stream is answered, by whatever carrier it came. Called on the stream's thread; {@link #refuse} on any. */
interface StreamAnswer {
    /** Whether only the head of the answer is wanted. */
    default boolean isHead() {
        return false;
    }

    /**
     * Says that there is a stream.
     *
     * @param cursor where it begins; null where that is not known yet
     * @param signal raised when the connection has gone
     * @throws RequestRefused the client can't be answered so
     */
    StreamSink open(@Nullable String cursor, Signal signal);

    /** Whether the caller may go on reading; asked again and again, on any thread. */
    boolean isAdmitted();

    /** Says why there is none; nothing where the answer has begun. */
    void refuse(RequestRefused refused);
}
