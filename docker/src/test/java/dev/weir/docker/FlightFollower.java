package dev.weir.docker;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.vector.UInt8Vector;

/** Reads a table's changes by Arrow Flight, at one node after the other; what comes twice or out of order fails. */
final class FlightFollower {
    private final String table;
    private final CallOption token;
    private final Map<Integer, Long> last = new TreeMap<>();
    private final Set<String> places = new TreeSet<>();
    private String from = "earliest";

    FlightFollower(String table, String token) {
        this.table = table;
        this.token = FlightCall.token(token);
    }

    /** Reads on, behind what came before, until there are so many rows altogether. */
    void readTo(String httpUrl, int rows) throws Exception {
        try (FlightCall call = FlightCall.open(httpUrl, parameters(), token)) {
            while (places.size() < rows) {
                take(call);
            }
        }
    }

    /**
     * The same; then something happens to the node, and it reads on.
     *
     * @return why the stream ended
     */
    FlightRuntimeException readToItsEnd(String httpUrl, int rows, Runnable then) throws Exception {
        try (FlightCall call = FlightCall.open(httpUrl, parameters(), token)) {
            while (places.size() < rows) {
                take(call);
            }
            then.run();
            while (true) {
                take(call);
            }
        } catch (FlightRuntimeException e) {
            return e;
        }
    }

    private Map<String, String> parameters() {
        return Map.of(
                "measurement", table,
                "event_type", "point_written",
                "compression", "zstd",
                "max_rows", "20",
                "from", from);
    }

    private void take(FlightCall call) throws IOException {
        Map<String, String> metadata = call.next();
        UInt8Vector seqs = (UInt8Vector) call.batch().getRoot().getVector("seq");
        for (int row = 0; row < call.batch().getRoot().getRowCount(); row++) {
            int partition = Integer.parseInt(metadata.get("weir.partition"));
            long before = last.getOrDefault(partition, 0L);
            if (seqs.get(row) <= before) {
                throw new AssertionError(
                        "partition " + partition + ": expected a seq after " + before + ", found " + seqs.get(row));
            }
            last.put(partition, seqs.get(row));
            places.add(partition + ":" + seqs.get(row));
        }
        String cursor = metadata.get("weir.cursor");
        if (cursor == null) {
            throw new AssertionError("expected a cursor, found " + metadata);
        }
        from = cursor;
    }

    /** {@code partition:seq} of every row that came. */
    Set<String> places() {
        return places;
    }
}
