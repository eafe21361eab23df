package dev.weir.node.internal;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import io.vertx.core.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/**
 * The body of an internal answer other than 200.
 *
 * @param leader node id of the partition's leader as the answering node knows it; empty where it doesn't
 */
record PeerRefusal(ErrorCode code, String message, String leader) {
    Buffer encode() {
        return new WireWriter(64)
                .putText(code.name())
                .putText(message)
                .putText(leader)
                .buffer();
    }

    /** Null where the bytes are none, for example from a proxy. */
    static @Nullable PeerRefusal decode(Buffer bytes) {
        try {
            WireReader in = new WireReader(bytes);
            return new PeerRefusal(ErrorCode.valueOf(in.readText()), in.readText(), in.readText());
        } catch (WireFormatException | IllegalArgumentException e) {
            return null;
        }
    }

    Refusal refusal() {
        return Refusal.of(code, message);
    }
}
