package dev.weir.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ops.FakeCluster;
import dev.weir.ops.FakeCluster.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cursors are those of tenant {@code default} at {3:1, 4:1, 5:9}, {3:2, 4:2, 5:9} and {3:3, 4:2, 5:9}. */
final class CdcExportCommandTest {
    private static final String PATH = "GET /api/v1/cdc/stream";
    private static final String START = "ARpDEeUDAwEEAQUJIO294Q";
    private static final String MIDDLE = "ARpDEeUDAwIEAgUJgvDNZg";
    private static final String END = "ARpDEeUDAwMEAgUJuuGiyg";

    @TempDir
    Path folder;

    private FakeCluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new FakeCluster();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static Map<String, String> at(String cursor) {
        Map<String, String> headers = new HashMap<>(Map.of("Content-Type", "text/event-stream"));
        if (!cursor.isEmpty()) {
            headers.put("Weir-Cursor", cursor);
        }
        return headers;
    }

    private static String write(int partition, long seq, String prev, String fields) {
        return frame("point_written", partition, seq, prev, "insert", "{\"host\":\"a b\"}", fields, "");
    }

    private static String frame(
            String type,
            int partition,
            long seq,
            String prev,
            String operation,
            String tags,
            String fields,
            String more) {
        return "event: " + type + "\nid: " + START + ";" + partition + ":" + (seq + 1) + "\ndata: {\"seq\":" + seq
                + ",\"prev\":" + prev + ",\"partition\":" + partition + ",\"event_type\":\"" + type
                + "\",\"operation\":\"" + operation + "\",\"measurement\":\"m\",\"timestamp\":17,"
                + "\"time\":\"1970-01-01T00:00:00.000000017Z\",\"tags\":" + tags + ",\"fields\":" + fields
                + ",\"schema_version\":1,\"committed_at\":\"2026-11-01T00:00:00.000000005Z\",\"source\":\"log\"" + more
                + "}\n\n";
    }

    private Run export(String... more) {
        List<String> words = new ArrayList<>(List.of("cdc", "export", "--to", file().toString()));
        words.addAll(List.of(more));
        return cluster.run(words.toArray(String[]::new));
    }

    private Path file() {
        return folder.resolve("it's.parquet");
    }

    private List<String> query(String statement) throws SQLException {
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement all = duck.createStatement();
                ResultSet rows = all.executeQuery(
                        statement.replace("FILE", "'" + file().toString().replace("'", "''") + "'"))) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    row.add(rows.getString(i));
                }
                found.add(String.join("|", row));
            }
            return found;
        }
    }

    /** Also what comes again after a reconnection, what lies behind the end, and values at their limits. */
    @Test
    void writesEachChangeUpToTheEndOnce() throws Exception {
        cluster.reply(PATH, 200, ": hello\n\n", at(END));
        cluster.reply(PATH, 200, write(3, 1, "null", "{\"u\":18446744073709551615,\"f\":-0.0}"), at(START));
        cluster.reply(
                PATH,
                200,
                write(3, 1, "null", "{\"u\":18446744073709551615,\"f\":-0.0}")
                        + frame(
                                "series_deleted",
                                4,
                                1,
                                "null",
                                "delete",
                                "{\"host\":\"b\"}",
                                "{}",
                                ",\"series_hash\":\"ffffffffffffffff\",\"detail\":{\"a\":1}")
                        + write(4, 2, "1", "{\"late\":1}")
                        + write(3, 2, "1", "{\"i\":9007199254740993,\"s\":\"ü\\\"\"}"),
                at(""));

        Run run = export("--measurement", "m");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("3 changes in ").contains(END);
        assertThat(query("SELECT * FROM FILE"))
                .containsExactly(
                        "1|point_written|m|17|{\"host\":\"a b\"}|{\"u\":18446744073709551615,\"f\":-0.0}|0|3|insert|1|1793491200000000005|{}",
                        "2|point_written|m|17|{\"host\":\"a b\"}|{\"i\":9007199254740993,\"s\":\"ü\\\"\"}|0|3|insert|1|1793491200000000005|{}",
                        "1|series_deleted|m|17|{\"host\":\"b\"}|{}|18446744073709551615|4|delete|1|1793491200000000005|{\"a\":1}");
        assertThat(query("SELECT column_name || ' ' || column_type FROM (DESCRIBE SELECT * FROM FILE)"))
                .contains("seq UBIGINT", "event_timestamp BIGINT", "series_hash UBIGINT", "partition UINTEGER");
        assertThat(query("SELECT decode(value) FROM parquet_kv_metadata(FILE) WHERE decode(key) = 'weir_cursor'"))
                .containsExactly(END);
        assertThat(cluster.requests().getFirst().target()).isEqualTo("/api/v1/cdc/stream?measurement=m&from=now");
        assertThat(cluster.requests().get(1).target()).isEqualTo("/api/v1/cdc/stream?measurement=m&from=earliest");
        assertThat(names()).containsExactly("it's.parquet");
    }

    /** Where the filter leaves the rest out, a checkpoint says so. */
    @Test
    void aCheckpointEndsItToo() throws Exception {
        cluster.reply(PATH, 200, ": hello\n\n", at(END));
        cluster.reply(
                PATH,
                200,
                "event: checkpoint\nid: " + MIDDLE + "\ndata: {}\n\n" + write(3, 2, "null", "{}"),
                at(START));

        assertThat(export("--until", "2026-11-02T00:00:00Z", "-o", "json").out())
                .contains("\"changes\" : 1")
                .contains("\"cursor\" : \"" + END + "\"");
        assertThat(cluster.requests().getFirst().target()).endsWith("from=2026-11-02T00%3A00%3A00Z");
    }

    @Test
    void nothingToExportIsAnEmptyFile() throws Exception {
        cluster.reply(PATH, 200, ": hello\n\n", at(START));

        assertThat(export("--from", START).exitCode()).isZero();
        assertThat(query("SELECT count(*) FROM FILE")).containsExactly("0");
    }

    /** Its cursor would lead back to what another file has. */
    @Test
    void refusesAnEndBeforeTheStart() throws Exception {
        Files.writeString(file(), "old");
        cluster.reply(PATH, 200, ": hello\n\n", at(MIDDLE));
        cluster.reply(PATH, 200, ": hello\n\n", at(END));

        Run run = export("--from", END, "--until", MIDDLE);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("--until lies before --from in partition 3: 2, expected at least 3");
        assertThat(file()).content().isEqualTo("old");
        assertThat(names()).containsExactly("it's.parquet");
    }

    @Test
    void removesWhatAnEarlierRunLeft() throws Exception {
        Path spilled = Files.createDirectory(folder.resolve(".it's.parquet.gathered.tmp"));
        Files.writeString(spilled.resolve("duckdb_temp_storage-0.tmp"), "x");
        Files.writeString(folder.resolve(".it's.parquet.gathered"), "no database");
        cluster.reply(PATH, 200, ": hello\n\n", at(START));

        assertThat(export("--from", START).exitCode()).isZero();
        assertThat(names()).containsExactly("it's.parquet");
    }

    @Test
    void leavesWhatWasThereWhereChangesAreMissing() throws Exception {
        Files.writeString(file(), "old");
        cluster.reply(PATH, 200, ": hello\n\n", at(END));
        cluster.reply(PATH, 200, write(3, 1, "null", "{}") + write(3, 4, "3", "{}"), at(START));

        Run run = export();

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("changes are missing: partition 3: after seq 1 came 4");
        assertThat(file()).content().isEqualTo("old");
        assertThat(names()).containsExactly("it's.parquet");
    }

    @Test
    void givesUpWhereNoNodeAnswersForTooLong() throws Exception {
        cluster.reply(PATH, 200, ": hello\n\n", at(END));
        cluster.reply(PATH, 200, "retry: 10\n\n" + write(3, 1, "null", "{}"), at(START));
        cluster.reply(PATH, 503, "{}");

        Run run = export("--give-up-after", "1");

        assertThat(run.exitCode()).isEqualTo(3);
        assertThat(run.err()).contains("no node could be reached for 1 s (--give-up-after)");
        assertThat(names()).isEmpty();
    }

    @Test
    void saysWhereNoFileCanBe() {
        cluster.reply(PATH, 200, ": hello\n\n", at(START));

        Run run = cluster.run(
                "cdc", "export", "--to", folder.resolve("no/where.parquet").toString());

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("can't be written");
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
