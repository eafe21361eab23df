package dev.weir.docker;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.flight.CallOption;
import org.apache.arrow.flight.FlightCallHeaders;
import org.apache.arrow.flight.FlightClient;
import org.apache.arrow.flight.FlightGrpcUtils;
import org.apache.arrow.flight.FlightRuntimeException;
import org.apache.arrow.flight.FlightStream;
import org.apache.arrow.flight.HeaderCallOption;
import org.apache.arrow.flight.Location;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** A change stream at one node, by Arrow's own Flight client. One thread, but for {@link #cancel}. */
final class FlightCall implements AutoCloseable {
    private static final String HOST = "127.0.0.1";
    private static final int FROM_HTTP_PORT = 300;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final BufferAllocator allocator;
    private final FlightClient client;
    private final FlightStream stream;

    private FlightCall(
            BufferAllocator allocator, FlightClient client, Map<String, String> parameters, CallOption... options) {
        this.allocator = allocator;
        this.client = client;
        byte[] ticket = JSON.valueToTree(parameters).toString().getBytes(StandardCharsets.UTF_8);
        stream = client.getStream(new Ticket(ticket), options);
    }

    /** Waits for nothing: a refusal comes by {@link #next}. */
    static FlightCall open(String httpUrl, Map<String, String> parameters, CallOption... options) {
        BufferAllocator allocator = new RootAllocator();
        Location location = Location.forGrpcInsecure(HOST, port(httpUrl));
        return new FlightCall(
                allocator, FlightClient.builder(allocator, location).build(), parameters, options);
    }

    /** A client for which no more than 64 KiB are under way. */
    static FlightCall openWithLittleRoom(String httpUrl, Map<String, String> parameters) {
        BufferAllocator allocator = new RootAllocator();
        ManagedChannel channel = NettyChannelBuilder.forAddress(HOST, port(httpUrl))
                .usePlaintext()
                .flowControlWindow(64 << 10)
                .build();
        return new FlightCall(allocator, FlightGrpcUtils.createFlightClient(allocator, channel), parameters);
    }

    private static int port(String httpUrl) {
        return URI.create(httpUrl).getPort() + FROM_HTTP_PORT;
    }

    static CallOption token(String token) {
        FlightCallHeaders headers = new FlightCallHeaders();
        headers.insert("authorization", "Bearer " + token);
        return new HeaderCallOption(headers);
    }

    /**
     * Waits for the next batch: quiet streams have them too.
     *
     * @return its metadata
     * @throws FlightRuntimeException the stream has ended, which it never does in order
     */
    Map<String, String> next() throws IOException {
        if (!stream.next()) {
            throw new AssertionError("the stream ended as if it were whole");
        }
        ArrowBuf bytes = stream.getLatestMetadata();
        byte[] text = new byte[(int) bytes.readableBytes()];
        bytes.getBytes(bytes.readerIndex(), text);
        Map<String, String> metadata = new TreeMap<>();
        JSON.readTree(text)
                .properties()
                .forEach(entry -> metadata.put(entry.getKey(), entry.getValue().textValue()));
        return metadata;
    }

    /** The batch that came last. */
    FlightStream batch() {
        return stream;
    }

    /** From any thread: ends it, {@link #next} too. */
    void cancel() {
        stream.cancel("closed here", null);
    }

    /** Also fails where memory was left behind. */
    @Override
    public void close() throws Exception {
        try (allocator;
                client) {
            stream.close();
        }
    }
}
