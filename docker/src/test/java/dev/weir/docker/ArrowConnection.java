package dev.weir.docker;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.docker.Carrier.Part;
import dev.weir.docker.Carrier.SeqRange;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;
import org.apache.arrow.vector.ipc.message.MessageResult;
import org.jspecify.annotations.Nullable;

/** The change stream as record batches, of fixed or typed columns, by Arrow's own reader; one IPC stream after the other. */
final class ArrowConnection implements Carrier.Connection {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpClient client;
    private final BufferAllocator allocator = new RootAllocator();
    private final PushbackInputStream body;
    /** Of the newest record batch. */
    private final Map<String, String> metadata = new TreeMap<>();

    private @Nullable ArrowStreamReader reader;

    private ArrowConnection(HttpClient client, InputStream body) {
        this.client = client;
        this.body = new PushbackInputStream(body, 1);
    }

    static ArrowConnection open(String address) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(10))
                .build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .header("Accept", "application/vnd.apache.arrow.stream")
                .timeout(Duration.ofSeconds(15))
                .build();
        HttpResponse<InputStream> answer;
        try {
            answer = client.send(request, HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            client.shutdownNow();
            throw e;
        }
        if (answer.statusCode() != 200) {
            String text = new String(answer.body().readAllBytes(), StandardCharsets.UTF_8);
            client.shutdownNow();
            if (answer.statusCode() == 503) {
                throw new IOException(text);
            }
            throw new AssertionError("expected a stream, found " + answer.statusCode() + " " + text);
        }
        return new ArrowConnection(client, answer.body());
    }

    @Override
    public Part next() throws IOException {
        return part(nextBatch());
    }

    private ArrowStreamReader nextBatch() throws IOException {
        try {
            while (true) {
                ArrowStreamReader open = reader;
                if (open == null) {
                    open = nextStream();
                    reader = open;
                }
                if (open.loadNextBatch()) {
                    return open;
                }
                open.close(false);
                reader = null;
            }
        } catch (IllegalArgumentException | IllegalStateException e) {
            // Arrow's reader takes a stream that broke off in the middle of a message for a wrong one.
            throw new IOException("the stream broke off", e);
        }
    }

    private ArrowStreamReader nextStream() throws IOException {
        int first = body.read();
        if (first < 0) {
            throw new IOException("the answer ended");
        }
        body.unread(first);
        return new ArrowStreamReader(
                new MetadataReader(new ReadChannel(Channels.newChannel(body)), allocator),
                allocator,
                CommonsCompressionFactory.INSTANCE);
    }

    private Part part(ArrowStreamReader batch) throws IOException {
        for (String end : List.of("weir.lost", "weir.refused")) {
            if (metadata.containsKey(end)) {
                throw new AssertionError("expected changes, found " + metadata);
            }
        }
        List<SeqRange> gaps = metadata.containsKey("weir.gap")
                ? List.of(SocketConnection.gap(JSON.readTree(metadata.get("weir.gap"))))
                : List.of();
        int partition = Integer.parseInt(metadata.getOrDefault("weir.partition", "-1"));
        ArrowRows rows = new ArrowRows(batch.getVectorSchemaRoot(), batch, partition);
        return new Part(rows.changes(), gaps, metadata.get("weir.cursor"));
    }

    /** Arrow's reader hides what stands beside a batch. */
    private final class MetadataReader extends MessageChannelReader {
        MetadataReader(ReadChannel in, BufferAllocator allocator) {
            super(in, allocator);
        }

        @Override
        public @Nullable MessageResult readNext() throws IOException {
            MessageResult result = super.readNext();
            Message message = result == null ? null : result.getMessage();
            if (message != null && message.headerType() == MessageHeader.RecordBatch) {
                metadata.clear();
                for (int i = 0; i < message.customMetadataLength(); i++) {
                    KeyValue entry = message.customMetadata(i);
                    metadata.put(entry.key(), entry.value());
                }
            }
            return result;
        }
    }

    @Override
    public void abort() {
        client.shutdownNow();
    }

    /** Also fails where memory was left behind. */
    @Override
    public void free() {
        abort();
        try {
            if (reader != null) {
                reader.close(false);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        allocator.close();
    }
}
