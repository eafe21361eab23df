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
import java.util.List;
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
        description = {
            "Writes a file, or the standard input: line protocol or JSON, plain or gzip, CSV with a line of names, or Parquet.",
            "Sent in batches, each under an Idempotency-Key of its own: a batch that is sent again doubles no row."
        })
public final class WriteCommand implements Callable<Integer> {
    private static final int BATCH_BYTES = 4 << 20;

    @Parameters(
            paramLabel = "FILE",
            defaultValue = "-",
            description = "The file; - is the standard input. Default: ${DEFAULT-VALUE}.")
    String file = "-";

    @Option(
            names = "--format",
            paramLabel = "auto|lp|json|csv|parquet",
            defaultValue = "auto",
            description =
                    "auto: by the end of the file's name (.csv, .csv.gz, .parquet); else JSON where the first letter is { or [. Default: ${DEFAULT-VALUE}.")
    WriteFormat.Kind kind = WriteFormat.Kind.auto;

    @Option(
            names = "--precision",
            paramLabel = "ns|us|ms|s",
            description =
                    "Unit of timestamps in line protocol, and of integers in the time column of CSV and Parquet. Default: ns.")
    Optional<String> precision = Optional.empty();

    @Option(
            names = {"--table", "--measurement"},
            paramLabel = "T",
            description = "For CSV, Parquet and flat JSON objects: the table that they belong to.")
    Optional<String> measurement = Optional.empty();

    @Option(names = "--tags", paramLabel = "K,K", description = "For these: the columns or keys that are tags.")
    Optional<String> tags = Optional.empty();

    @Option(
            names = "--time",
            paramLabel = "K",
            description = "For these: the column or key that holds the time. Default for CSV and Parquet: time.")
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
            description =
                    "How long a batch is sent again while the cluster asks for that, or no answer comes. Default: ${DEFAULT-VALUE}.")
    int retrySeconds = 60;

    @Mixin
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() throws IOException {
        WriteFormat.Kind chosen = chosen();
        if (chosen == WriteFormat.Kind.csv || chosen == WriteFormat.Kind.parquet) {
            return writeColumns(chosen == WriteFormat.Kind.csv);
        }
        CountedInput counted = new CountedInput(open());
        try (InputStream in = inflated(new BufferedInputStream(counted));
                ClusterClient client = connection.open();
                WriteProgress progress = WriteProgress.of(size(), !output.json())) {
            WriteFormat format = WriteFormat.of(kind, in, precision, measurement, tags, time);
            BatchWriter writer = new BatchWriter(client, format, gzip, java.time.Duration.ofSeconds(retrySeconds));
            if (format.whole()) {
                byte[] body = in.readAllBytes();
                writer.send(body, 0, jsonRows(body));
            } else {
                sendBatches(new RowSplitter(in, format.lineProtocol()), writer, progress, counted);
            }
            return finish(writer);
        }
    }

    private void sendBatches(RowSplitter rows, BatchWriter writer, WriteProgress progress, CountedInput counted)
            throws IOException {
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
                progress.at(counted.bytes(), rowsBefore);
            }
        }
    }

    private WriteFormat.Kind chosen() {
        if (kind != WriteFormat.Kind.auto) {
            return kind;
        }
        if (file.endsWith(".parquet")) {
            return WriteFormat.Kind.parquet;
        }
        return file.endsWith(".csv") || file.endsWith(".csv.gz") ? WriteFormat.Kind.csv : WriteFormat.Kind.auto;
    }

    private int writeColumns(boolean isCsv) throws IOException {
        String table = measurement.orElseThrow(
                () -> CommandFailedException.refused("--table is required: the table that the rows belong to"));
        List<String> tagNames = tags.map(text -> List.of(text.split(","))).orElse(List.of());
        String timeName = time.orElse("time");
        Path spooled = file.equals("-") ? spool(isCsv) : null;
        FileRows.Source source =
                new FileRows.Source(spooled == null ? readable() : spooled, isCsv, tagNames, timeName, unitNanos());
        try (FileRows rows = new FileRows(source);
                ClusterClient client = connection.open();
                WriteProgress progress = WriteProgress.of(-1, !output.json())) {
            WriteFormat format = WriteFormat.rows(table, tagNames, timeName);
            BatchWriter writer = new BatchWriter(client, format, gzip, java.time.Duration.ofSeconds(retrySeconds));
            sendRows(rows, writer, progress);
            return finish(writer);
        } finally {
            if (spooled != null) {
                Files.delete(spooled);
            }
        }
    }

    private void sendRows(FileRows rows, BatchWriter writer, WriteProgress progress) throws IOException {
        ByteArrayOutputStream batch = new ByteArrayOutputStream();
        long bytes = 0;
        long sent = 0;
        long read = 0;
        boolean more = true;
        while (more) {
            more = rows.next(batch);
            read += more ? 1 : 0;
            if (read - sent >= batchRows || batch.size() >= BATCH_BYTES || (!more && read > sent)) {
                writer.send(batch.toByteArray(), sent, read - sent);
                bytes += batch.size();
                batch.reset();
                sent = read;
                progress.at(bytes, sent);
            }
        }
    }

    private long unitNanos() {
        return switch (precision.orElse("ns")) {
            case "ns" -> 1;
            case "us" -> 1_000;
            case "ms" -> 1_000_000;
            case "s" -> 1_000_000_000;
            default ->
                throw CommandFailedException.refused(
                        "--precision: expected ns, us, ms or s, found " + precision.orElse(""));
        };
    }

    /** Parquet is read from its end, and CSV twice: both need a file. */
    private static Path spool(boolean isCsv) throws IOException {
        Path spooled = Files.createTempFile("weir-write", isCsv ? ".csv" : ".parquet");
        try (InputStream in = inflated(new BufferedInputStream(System.in))) {
            Files.copy(in, spooled, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        }
        return spooled;
    }

    private Path readable() {
        Path path = Path.of(file);
        if (!Files.isRegularFile(path)) {
            throw CommandFailedException.refused("no file " + file);
        }
        return path;
    }

    private long size() throws IOException {
        return file.equals("-") || !Files.isRegularFile(Path.of(file)) ? -1 : Files.size(Path.of(file));
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
            return System.in;
        }
        if (Files.isDirectory(Path.of(file))) {
            throw CommandFailedException.refused(file + " is a folder: expected a file, or - for the standard input");
        }
        try {
            return Files.newInputStream(Path.of(file));
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
