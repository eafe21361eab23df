package dev.weir.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.HeaderCallOption;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.UInt8Vector;

/** Reads a table's changes by Arrow's own Flight client, at one node after the other; what comes twice or out of order fails. */
final class FlightFollower implements AutoCloseable {
    private static final int FROM_HTTP_PORT = 300;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final BufferAllocator allocator = new RootAllocator();
    private final String table;
    private final CallOption token;
    private final Map<Integer, Long> last = new TreeMap<>();
    private final Set<String> places = new TreeSet<>();
    private String from = "earliest";

    FlightFollower(String table, String token) {
        this.table = table;
        FlightCallHeaders headers = new FlightCallHeaders();
        headers.insert("authorization", "Bearer " + token);
        this.token = new HeaderCallOption(headers);
    }

    /** Reads on, behind what came before, until there are so many rows altogether. */
    void readTo(String httpUrl, int rows) throws Exception {
        try (FlightClient client = client(httpUrl);
                FlightStream stream = client.getStream(ticket(), token)) {
            while (places.size() < rows) {
                take(stream);
            }
        }
    }

    /**
     * The same; then something happens to the node, and it reads on.
     *
     * @return why the stream ended
     */
    FlightRuntimeException readToItsEnd(String httpUrl, int rows, Runnable then) throws Exception {
        try (FlightClient client = client(httpUrl);
                FlightStream stream = client.getStream(ticket(), token)) {
            while (places.size() < rows) {
                take(stream);
            }
            then.run();
            while (true) {
                take(stream);
            }
        } catch (FlightRuntimeException e) {
            return e;
        }
    }

    private FlightClient client(String httpUrl) {
        int port = URI.create(httpUrl).getPort() + FROM_HTTP_PORT;
        return FlightClient.builder(allocator, Location.forGrpcInsecure("127.0.0.1", port))
                .build();
    }

    private Ticket ticket() {
        String json = JSON.createObjectNode()
                .put("measurement", table)
                .put("event_type", "point_written")
                .put("compression", "zstd")
                .put("max_rows", 20)
                .put("from", from)
                .toString();
        return new Ticket(json.getBytes(StandardCharsets.UTF_8));
    }

    private void take(FlightStream stream) throws IOException {
        if (!stream.next()) {
            throw new AssertionError("the stream ended as if it were whole");
        }
        ArrowBuf bytes = stream.getLatestMetadata();
        byte[] text = new byte[(int) bytes.readableBytes()];
        bytes.getBytes(bytes.readerIndex(), text);
        JsonNode metadata = JSON.readTree(text);
        UInt8Vector seqs = (UInt8Vector) stream.getRoot().getVector("seq");
        for (int row = 0; row < stream.getRoot().getRowCount(); row++) {
            int partition = Integer.parseInt(metadata.required("weir.partition").textValue());
            long before = last.getOrDefault(partition, 0L);
            if (seqs.get(row) <= before) {
                throw new AssertionError(
                        "partition " + partition + ": expected a seq after " + before + ", found " + seqs.get(row));
            }
            last.put(partition, seqs.get(row));
            places.add(partition + ":" + seqs.get(row));
        }
        from = metadata.required("weir.cursor").textValue();
    }

    /** {@code partition:seq} of every row that came. */
    Set<String> places() {
        return places;
    }

    @Override
    public void close() {
        allocator.close();
    }
}
