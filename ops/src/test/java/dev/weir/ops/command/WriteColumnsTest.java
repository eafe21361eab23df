package dev.weir.ops.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ops.FakeCluster;
import dev.weir.ops.FakeCluster.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** CSV and Parquet, as rows of JSON. */
final class WriteColumnsTest {
    @TempDir
    Path dir;

    private FakeCluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new FakeCluster();
        cluster.reply("POST /api/v1/write", 204, "");
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void csvRowsHaveTheTypesOfWholeColumnsAndTagsStayTexts() throws IOException {
        Path file = dir.resolve("it's.csv");
        Files.writeString(file, """
                at,host,v,n,note
                1793534460,007,1,5,"a, ""b""\"
                1793534461,008,,6,
                1793534462,009,2.5,7,ü
                """);

        Run run = cluster.run(
                "write",
                file.toString(),
                "--table",
                "m x",
                "--tags",
                "host",
                "--time",
                "at",
                "--precision",
                "s",
                "--batch",
                "2");

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("3 rows written, 0 refused, in 2 requests");
        assertThat(cluster.requests().getFirst().target()).isEqualTo("/api/v1/write?measurement=m+x&tags=host&time=at");
        assertThat(cluster.requests().get(0).body()).isEqualTo("""
                        {"at":1793534460000000000,"host":"007","v":1.0,"n":5,"note":"a, \\"b\\""}
                        {"at":1793534461000000000,"host":"008","n":6}
                        """);
        assertThat(cluster.requests().get(1).body())
                .isEqualTo("{\"at\":1793534462000000000,\"host\":\"009\",\"v\":2.5,\"n\":7,\"note\":\"ü\"}\n");
        assertThat(cluster.requests().get(0).headers().get("Idempotency-key"))
                .isNotEqualTo(cluster.requests().get(1).headers().get("Idempotency-key"));
    }

    @Test
    void everyRowNeedsATime() throws IOException {
        Path file = Files.createDirectories(dir.resolve("host=z")).resolve("a[1]*.csv");
        Files.writeString(file, "Time,v\n1,1\n,2\n");

        Run without = cluster.run("write", file.toString(), "--table", "m");
        assertThat(without.exitCode()).isEqualTo(1);
        assertThat(without.err()).contains("--time: expected a column time").endsWith("found Time, v\n");
        assertThat(cluster.requests()).isEmpty();

        Run gap = cluster.run("write", file.toString(), "--table", "m", "--time", "Time");
        assertThat(gap.exitCode()).isEqualTo(1);
        assertThat(gap.err()).contains("row 2 has no Time: expected a time in every row");
    }

    @Test
    void parquetKeepsNanosecondsLargeIntegersAndLeavesNaNOut() throws Exception {
        Path file = dir.resolve("rows.parquet");
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
                Statement statement = duck.createStatement()) {
            statement.execute("COPY (SELECT TIMESTAMP_NS '2026-11-01 12:00:00.123456789' AS time, 'a' AS host,"
                    + " 18446744073709551615::UBIGINT AS u, 'NaN'::DOUBLE AS nan, 1.5::FLOAT AS f, true AS ok,"
                    + " NULL::INTEGER AS nothing) TO '" + file + "' (FORMAT parquet)");
        }

        Run run = cluster.run("write", file.toString(), "--table", "m", "--tags", "host");

        assertThat(run.err()).isEmpty();
        assertThat(cluster.requests().getFirst().body())
                .isEqualTo(
                        "{\"time\":1793534400123456789,\"host\":\"a\",\"u\":18446744073709551615,\"f\":1.5,\"ok\":true}\n");
    }

    @Test
    void whatIsNoParquetOrHasNoTableIsRefused() throws IOException {
        Path file = dir.resolve("x.parquet");
        Files.writeString(file, "no");
        assertThat(cluster.run("write", file.toString(), "--table", "m").exitCode())
                .isEqualTo(1);
        assertThat(cluster.run("write", file.toString()).err()).contains("--table is required");
        assertThat(cluster.requests()).isEmpty();
    }
}
