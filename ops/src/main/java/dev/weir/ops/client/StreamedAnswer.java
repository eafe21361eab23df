package dev.weir.ops.client;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * What a node answers, as it comes. An answer that breaks off fails in its body; {@link #close} by any thread ends the call at both ends.
 *
 * @param servedBy the node that answered, where it says so
 */
public record StreamedAnswer(int status, InputStream body, Optional<String> servedBy) implements AutoCloseable {
    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException e) {
            throw CommandFailedException.unreachable("the answer can't be closed: " + e.getMessage());
        }
    }
}
