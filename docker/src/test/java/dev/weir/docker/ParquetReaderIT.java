package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.file.SampleFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data files read by a Parquet reader that shares no code with ours and none with DuckDB: hyparquet, from npm (PQ-01, PQ-06). */
final class ParquetReaderIT {
    private static final int FILES = 8;
    private static final String READER = "hyparquet@1.33.0 hyparquet-compressors@1.1.2";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final LocalCluster none = LocalCluster.of(1);

    @TempDir
    Path folder;

    @Test
    void everyValueIsReadExactly() throws IOException {
        Path npm = Files.createDirectories(Path.of("target/npm-parquet").toAbsolutePath());
        LocalCluster.Run installed = none.run(
                List.of("sh", "-c", "npm install --silent --no-audit --no-fund --prefix " + npm + " " + READER));
        assumeTrue(installed.exitCode() == 0, () -> "skipped: npm can't install " + READER + ": " + installed.out());
        Path script = npm.resolve("read-parquet.mjs");
        try (var resource = ParquetReaderIT.class.getResourceAsStream("/read-parquet.mjs")) {
            Files.write(script, java.util.Objects.requireNonNull(resource).readAllBytes());
        }
        List<String> command = new ArrayList<>(List.of("node", script.toString()));
        List<List<Optional<String>>> written = new ArrayList<>();
        for (int seed = 0; seed < FILES; seed++) {
            Path file = folder.resolve("seed" + seed + ".parquet");
            written.addAll(SampleFiles.write(file, seed));
            command.add(file.toString());
        }

        LocalCluster.Run run = none.run(command).orFail();

        assertThat(run.out().lines().map(ParquetReaderIT::values)).containsExactlyElementsOf(written);
    }

    private static List<Optional<String>> values(String line) {
        try {
            List<Optional<String>> values = new ArrayList<>();
            for (JsonNode value : JSON.readTree(line)) {
                values.add(value.isNull() ? Optional.empty() : Optional.of(value.asText()));
            }
            return values;
        } catch (IOException e) {
            throw new IllegalStateException(line, e);
        }
    }
}
