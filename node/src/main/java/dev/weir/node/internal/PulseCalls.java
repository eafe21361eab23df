package dev.weir.node.internal;

import dev.weir.node.lead.NodePulse;
import dev.weir.node.lead.PulseSource;
import dev.weir.partition.catalog.NodeRecord;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Pulses by {@code /internal/v1/pulse}. Any thread. */
public final class PulseCalls implements PulseSource {
    /** Below {@code /internal/v1}. */
    public static final String PULSE = "/pulse";

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final PeerClient peers;

    public PulseCalls(PeerClient peers) {
        this.peers = peers;
    }

    @Override
    public CompletionStage<NodePulse> ask(NodeRecord node) {
        return peers.post(node, PULSE, Buffer.buffer(), TIMEOUT).thenApply(PulseCalls::decode);
    }

    /** The answer to {@link #PULSE}. */
    public static Buffer encode(NodePulse pulse) {
        return new WireWriter(16)
                .putLong(pulse.clockMs())
                .putBool(pulse.aboveReserve())
                .putBool(pulse.fitToLead())
                .putBool(pulse.farAboveReserve())
                .buffer();
    }

    static NodePulse decode(Buffer message) {
        WireReader in = new WireReader(message);
        long clockMs = in.readLong();
        boolean aboveReserve = in.readBool();
        boolean fitToLead = in.readBool();
        // A node of an older version does not say how far it is above.
        return new NodePulse(clockMs, aboveReserve, fitToLead, in.hasMore() ? in.readBool() : aboveReserve);
    }
}
