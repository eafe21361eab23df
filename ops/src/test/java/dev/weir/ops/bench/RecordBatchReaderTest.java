package dev.weir.ops.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rows of a stream that a gateway sent ({@code stream.arrow}, compressed, with empty batches between), which pyarrow reads likewise. */
final class RecordBatchReaderTest {
    private static final byte[] END = {-1, -1, -1, -1, 0, 0, 0, 0};

    private static byte[] stream() throws IOException {
        try (InputStream in = RecordBatchReaderTest.class.getResourceAsStream("/bench/stream.arrow")) {
            return Objects.requireNonNull(in).readAllBytes();
        }
    }

    private static List<Long> read(byte[] bytes, byte[] end) throws IOException {
        List<Long> batches = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answer(server, bytes, end));
            URI node = URI.create("http://127.0.0.1:" + server.getLocalPort());
            try (RecordBatchReader reader = RecordBatchReader.open(node, "from=now", Optional.of("t"), batches::add)) {
                reader.run();
                assertThat(reader.bytes()).isEqualTo(bytes.length + end.length);
            }
        }
        return batches;
    }

    private static void answer(ServerSocket server, byte[] bytes, byte[] end) {
        try (Socket socket = server.accept()) {
            OutputStream out = socket.getOutputStream();
            String head = "HTTP/1.1 200 OK\r\ncontent-length: " + (bytes.length + end.length) + "\r\n\r\n";
            out.write(head.getBytes(StandardCharsets.US_ASCII));
            out.write(bytes);
            out.write(end);
            out.flush();
            socket.getInputStream().readAllBytes();
        } catch (IOException gone) {
            return; // the reader had enough
        }
    }

    @Test
    void countsTheRowsOfEachBatch() throws IOException {
        assertThat(read(stream(), END)).containsExactly(2L, 2L, 2L);
    }

    /** Typed streams have a mark wherever the schema changes. */
    @Test
    void readsTheStreamsThatFollowEachOther() throws IOException {
        byte[] one = stream();
        ByteArrayOutputStream two = new ByteArrayOutputStream();
        two.writeBytes(one);
        two.writeBytes(END);
        two.writeBytes(one);
        assertThat(read(two.toByteArray(), END)).containsExactly(2L, 2L, 2L, 2L, 2L, 2L);
    }

    @Test
    void aStreamThatBreaksOffIsAnError() throws IOException {
        byte[] bytes = stream();
        assertThatThrownBy(() -> read(bytes, new byte[0])).isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> read(Arrays.copyOf(bytes, bytes.length - 100), new byte[0]))
                .isInstanceOf(EOFException.class);
        assertThatThrownBy(() -> read("no arrow".getBytes(StandardCharsets.US_ASCII), END))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ffffffff");
    }
}
