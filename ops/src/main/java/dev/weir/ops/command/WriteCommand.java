package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.client.Json;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.zip.GZIPInputStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code weir write}: a file, or what comes in, row by row in batches; each batch can be sent again without doubling a row. */
@Command(
        name = "write",
        mixinStandardHelpOptions = true,
        description = "Writes line protocol or JSON, plain or gzip, from a file or the standard input.")
public final class WriteCommand implements Callable<Integer> {
    private static final int BATCH_BYTES = 4 << 20;

    @Parameters(
            paramLabel = "FILE",
            defaultValue = "-",
            description = "The file; - is the standard input. Default: ${DEFAULT-VALUE}.")
    String file = "-";

    @Option(
            names = "--format",
            paramLabel = "auto|lp|json",
            defaultValue = "auto",
            description = "auto: JSON where the first letter is { or [. Default: ${DEFAULT-VALUE}.")
    WriteFormat.Kind kind = WriteFormat.Kind.auto;

    @Option(
            names = "--precision",
            paramLabel = "ns|us|ms|s",
            description = "Unit of the timestamps of line protocol. Default: ns.")
    Optional<String> precision = Optional.empty();

    @Option(
            names = "--measurement",
            paramLabel = "M",
            description = "For flat JSON objects: the measurement that they belong to.")
    Optional<String> measurement = Optional.empty();

    @Option(names = "--tags", paramLabel = "K,K", description = "For flat JSON objects: the keys that are tags.")
    Optional<String> tags = Optional.empty();

    @Option(names = "--time", paramLabel = "K", description = "For flat JSON objects: the key that holds the time.")
    Optional<String> time = Optional.empty();

    @Option(
            names = "--batch",
            paramLabel = "ROWS",
            defaultValue = "5000",
            description = "Rows a request. Default: ${DEFAULT-VALUE}.")
    int batchRows = 5000;

    @Option(names = "--gzip", description = "Send compressed.")
    boolean gzip;

    @Option(
            names = "--retry-for",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long a batch is sent again while the cluster asks for that. Default: ${DEFAULT-VALUE}.")
    int retrySeconds = 60;

    @Mixin
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException {
        try (InputStream in = inflated(open());
                ClusterClient client = connection.open()) {
            WriteFormat format = WriteFormat.of(kind, in, precision, measurement, tags, time);
            BatchWriter writer = new BatchWriter(client, format, gzip, java.time.Duration.ofSeconds(retrySeconds));
            if (format.whole()) {
                byte[] body = in.readAllBytes();
                writer.send(body, 0, jsonRows(body));
            } else {
                sendBatches(in, format, writer);
            }
            return finish(writer);
        }
    }

    private void sendBatches(InputStream in, WriteFormat format, BatchWriter writer) throws IOException {
        RowSplitter rows = new RowSplitter(in, format.lineProtocol());
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        long linesBefore = 0;
        long rowsBefore = 0;
        boolean more = true;
        while (more) {
            more = rows.next(batch);
            long count = rows.rows() - rowsBefore;
            if (count >= batchRows || batch.size() >= BATCH_BYTES || (!more && count > 0)) {
                writer.send(batch.toByteArray(), linesBefore, count);
                batch.reset();
                linesBefore = rows.lines();
                rowsBefore = rows.rows();
            }
        }
    }

    /** Elements of an array, or one. */
    private static long jsonRows(byte[] body) {
        try {
            JsonNode json = Json.MAPPER.readTree(body);
            return json.isArray() ? json.size() : 1;
        } catch (IOException e) {
            return 0;
        }
    }

    private int finish(BatchWriter writer) {
        writer.complaints().forEach(complaint -> output.err().println("weir: " + complaint));
        output.result(
                writer.result(),
                "%,d rows written, %,d refused, in %d requests"
                        .formatted(writer.accepted(), writer.rejected(), writer.requests()));
        return writer.rejected() == 0 ? 0 : CommandFailedException.REFUSED;
    }

    private InputStream open() throws IOException {
        if (file.equals("-")) {
            return new BufferedInputStream(System.in);
        }
        if (Files.isDirectory(Path.of(file))) {
            throw CommandFailedException.refused(file + " is a folder: expected a file, or - for the standard input");
        }
        try {
            return new BufferedInputStream(Files.newInputStream(Path.of(file)));
        } catch (NoSuchFileException e) {
            throw CommandFailedException.refused("no file " + file);
        }
    }

    private static InputStream inflated(InputStream in) throws IOException {
        in.mark(2);
        int first = in.read();
        int second = in.read();
        in.reset();
        return first == 0x1f && second == 0x8b ? new BufferedInputStream(new GZIPInputStream(in)) : in;
    }
}
