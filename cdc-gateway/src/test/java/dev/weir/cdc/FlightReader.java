package dev.weir.cdc;

import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.types.pojo.Schema;

/** Reads a stream by Arrow's own Flight client. */
final class FlightReader implements AutoCloseable {
    private final BufferAllocator allocator = new RootAllocator();
    private final FlightClient client;
    private final FlightStream stream;
    /** Of what is sent. */
    private final List<ArrowClient.Batch> sofar = new ArrayList<>();

    private FlightReader(int port, String ticket, CallOption... options) {
        client = FlightClient.builder(allocator, Location.forGrpcInsecure("127.0.0.1", port))
                .build();
        stream = client.getStream(new Ticket(ticket.getBytes(StandardCharsets.UTF_8)), options);
    }

    /** @param ticket may have single quotes in place of double ones */
    static FlightReader open(FlightPort port, String ticket, CallOption... options) {
        return new FlightReader(port.port(), ticket.replace('\'', '"'), options);
    }

    static CallOption token(String token) {
        FlightCallHeaders headers = new FlightCallHeaders();
        headers.insert("authorization", "Bearer " + token);
        return new HeaderCallOption(headers);
    }

    Schema schema() {
        return stream.getSchema();
    }

    /**
     * Waits for it: quiet streams have batches too.
     *
     * @throws FlightRuntimeException the stream has ended, which it never does in order
     */
    ArrowClient.Batch next() {
        if (!stream.next()) {
            throw new AssertionError("the stream ended as if it were whole");
        }
        Map<String, List<Object>> columns = new TreeMap<>();
        for (FieldVector vector : stream.getRoot().getFieldVectors()) {
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < stream.getRoot().getRowCount(); i++) {
                Object value = vector.getObject(i);
                values.add(value instanceof Number ? value : String.valueOf(value));
            }
            columns.put(vector.getField().getName(), values);
        }
        ArrowClient.Batch batch = new ArrowClient.Batch(metadata(), columns, false);
        sofar.add(batch);
        return batch;
    }

    private Map<String, String> metadata() {
        ArrowBuf bytes = stream.getLatestMetadata();
        byte[] json = new byte[(int) bytes.readableBytes()];
        bytes.getBytes(bytes.readerIndex(), json);
        Map<String, String> metadata = new TreeMap<>();
        new JsonObject(new String(json, StandardCharsets.UTF_8))
                .forEach(entry -> metadata.put(entry.getKey(), (String) entry.getValue()));
        return metadata;
    }

    /** The next batches, until they have so many rows; empty ones left out. */
    List<ArrowClient.Batch> take(int rows) {
        List<ArrowClient.Batch> batches = new ArrayList<>();
        for (int found = 0; found < rows; ) {
            ArrowClient.Batch batch = next();
            if (batch.rows() > 0) {
                batches.add(batch);
                found += batch.rows();
            }
        }
        return batches;
    }

    /** Reads to the end, which is why it ended. */
    FlightRuntimeException end() {
        while (true) {
            try {
                next();
            } catch (FlightRuntimeException e) {
                return e;
            }
        }
    }

    /** The last batch that came. */
    ArrowClient.Batch last() {
        return sofar.getLast();
    }

    @Override
    public void close() throws Exception {
        try (allocator;
                client) {
            stream.close();
        }
    }
}
