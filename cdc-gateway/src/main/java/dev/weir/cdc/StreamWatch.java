package dev.weir.cdc;

import java.util.Map;

/** Follows a stream that a route of its own opened. Called on the stream's thread. */
interface StreamWatch {
    /** The header that names the generation of a subscription. */
    String GENERATION = "Weir-Generation";

    /** A stream that nobody follows. */
    StreamWatch NONE = new StreamWatch() {
        @Override
        public void opened(OpenStream stream) {}

        @Override
        public void ended(OpenStream stream) {}
    };

    /** Headers of the answer, beside the stream's own. */
    default Map<String, String> headers() {
        return Map.of();
    }

    void opened(OpenStream stream);

    /** Nothing is sent any more. */
    void ended(OpenStream stream);

    /** The request is over, whether or not it became a stream: the last byte of its answer is out. Called once, on any thread. */
    default void finished() {}
}
