package dev.weir.docker;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.docker.Carrier.Part;
import dev.weir.docker.Carrier.SeqRange;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStatusCode;

/** The change stream by Arrow Flight. */
final class FlightConnection implements Carrier.Connection {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** As CDC.md has them, for a stream to go on elsewhere. */
    private static final Set<FlightStatusCode> GOES_ON_ELSEWHERE =
            Set.of(FlightStatusCode.UNAVAILABLE, FlightStatusCode.CANCELLED, FlightStatusCode.RESOURCE_EXHAUSTED);

    private final FlightCall call;

    private FlightConnection(FlightCall call) {
        this.call = call;
    }

    static FlightConnection open(String node, Map<String, String> parameters) {
        return new FlightConnection(FlightCall.open(node, parameters));
    }

    @Override
    public Part next() throws IOException {
        Map<String, String> metadata;
        try {
            metadata = call.next();
        } catch (FlightRuntimeException e) {
            if (GOES_ON_ELSEWHERE.contains(e.status().code())) {
                throw new IOException(e);
            }
            throw new AssertionError("expected a batch, found " + e.status(), e);
        }
        if (metadata.containsKey("weir.lost") || metadata.containsKey("weir.refused")) {
            throw new AssertionError("expected changes, found " + metadata);
        }
        List<SeqRange> gaps = metadata.containsKey("weir.gap")
                ? List.of(SocketConnection.gap(JSON.readTree(metadata.get("weir.gap"))))
                : List.of();
        int partition = Integer.parseInt(metadata.getOrDefault("weir.partition", "-1"));
        ArrowRows rows = new ArrowRows(call.batch().getRoot(), call.batch().getDictionaryProvider(), partition);
        return new Part(rows.changes(), gaps, metadata.get("weir.cursor"));
    }

    @Override
    public void abort() {
        call.cancel();
    }

    @Override
    public void free() {
        try {
            call.close();
        } catch (Exception e) {
            throw new AssertionError("expected a call that leaves nothing behind", e);
        }
    }
}
