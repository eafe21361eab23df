package dev.weir.cdc;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.arrow.compression.CommonsCompressionFactory;
import org.apache.arrow.flatbuf.KeyValue;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageChannelReader;
import org.apache.arrow.vector.ipc.message.MessageResult;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;
import org.jspecify.annotations.Nullable;

/** Reads a stream of record batches by Arrow's own reader, with the metadata of each. */
final class ArrowClient implements AutoCloseable {
    private final HttpClient client;
    private final BufferAllocator allocator = new RootAllocator();
    private final InputStream body;
    private final MessageChannelReader messages;
    private final VectorSchemaRoot root;
    final HttpHeaders headers;
    final Schema schema;

    /** @param columns by name: the values of the rows, texts as String */
    record Batch(Map<String, String> metadata, Map<String, List<Object>> columns, boolean compressed) {
        int rows() {
            return columns.get("seq").size();
        }

        List<Object> column(String name) {
            return columns.get(name);
        }

        String cursor() {
            return metadata.get("weir.cursor");
        }
    }

    static ArrowClient open(Gateway gateway, String query, String... headers) throws Exception {
        // Over an upgrade to HTTP/2 this client now and then loses bytes of an answer that begins at once.
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(gateway.base() + "/api/v1/cdc/stream" + query))
                .header("Accept", "application/vnd.apache.arrow.stream");
        if (headers.length > 0) {
            request.headers(headers);
        }
        HttpResponse<InputStream> response = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        if (response.statusCode() != 200) {
            throw new IOException(
                    response.statusCode() + " " + new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
        }
        return new ArrowClient(client, response.headers(), response.body());
    }

    /** Reads the body of an answer that came by another way. */
    static ArrowClient over(InputStream body) throws IOException {
        return new ArrowClient(HttpClient.newHttpClient(), HttpHeaders.of(Map.of(), (name, value) -> true), body);
    }

    private ArrowClient(HttpClient client, HttpHeaders headers, InputStream body) throws IOException {
        this.client = client;
        this.headers = headers;
        this.body = body;
        messages = new MessageChannelReader(new ReadChannel(Channels.newChannel(body)), allocator);
        schema = MessageSerializer.deserializeSchema(messages.readNext().getMessage());
        root = VectorSchemaRoot.create(schema, allocator);
    }

    /** Null after the end-of-stream mark, and where the answer ended without one; an exception where the answer broke off. */
    @Nullable
    Batch next() throws IOException {
        MessageResult result = messages.readNext();
        if (result == null) {
            return null;
        }
        Message message = result.getMessage();
        Map<String, String> metadata = new TreeMap<>();
        for (int i = 0; i < message.customMetadataLength(); i++) {
            KeyValue entry = message.customMetadata(i);
            metadata.put(entry.key(), entry.value());
        }
        boolean compressed;
        try (ArrowRecordBatch batch = MessageSerializer.deserializeRecordBatch(message, result.getBodyBuffer())) {
            compressed = batch.getBodyCompression().getCodec() >= 0;
            new VectorLoader(root, CommonsCompressionFactory.INSTANCE).load(batch);
        }
        Map<String, List<Object>> columns = new TreeMap<>();
        for (FieldVector vector : root.getFieldVectors()) {
            List<Object> values = new ArrayList<>();
            for (int i = 0; i < root.getRowCount(); i++) {
                Object value = vector.getObject(i);
                values.add(value instanceof Number ? value : String.valueOf(value));
            }
            columns.put(vector.getField().getName(), values);
        }
        return new Batch(metadata, columns, compressed);
    }

    /** The next batches, until they have so many rows; empty ones left out. */
    List<Batch> take(int rows) throws IOException {
        List<Batch> batches = new ArrayList<>();
        for (int found = 0; found < rows; ) {
            Batch batch = next();
            if (batch == null) {
                throw new IOException("the stream, or its answer, ended after " + found + " rows, expected " + rows);
            }
            if (batch.rows() > 0) {
                batches.add(batch);
                found += batch.rows();
            }
        }
        return batches;
    }

    /** Bytes that no message had. */
    int rest() throws IOException {
        return body.readAllBytes().length;
    }

    @Override
    public void close() throws IOException {
        body.close();
        root.close();
        client.shutdownNow();
        allocator.close();
    }
}
