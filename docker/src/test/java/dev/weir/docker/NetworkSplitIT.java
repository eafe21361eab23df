package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three nodes on hosts of their own (network namespaces, so root is needed), one cut off from the two others: the minority refuses writes and changes of
 * the catalog with 503 and says "no quorum", the majority goes on, and after healing all agree.
 */
final class NetworkSplitIT {
    private static final Path NETLAB =
            Path.of(System.getProperty("weir.root", "..")).resolve("ops/bin/netlab");
    private static final String ADMIN = "an-admin-token-for-this-test";
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<Process> NODES = new ArrayList<>();

    @TempDir
    static Path directory;

    private static boolean up;

    /** An answer to a client. */
    private record Answer(int status, String body) {}

    @BeforeAll
    static void start() throws IOException {
        assumeTrue("root".equals(System.getProperty("user.name")), "skipped: network namespaces need root");
        assumeTrue(run("ip", "-V").status() == 0 && run("nft", "-v").status() == 0, "skipped: ip or nft is missing");
        assumeTrue(run("ip", "netns", "add", "weir-probe").status() == 0, "skipped: no network namespaces here");
        run("ip", "netns", "del", "weir-probe");
        assumeTrue(run(NETLAB.toString(), "up", "3").status() == 0, "skipped: no bridge of namespaces here");
        up = true;
        Path token = Files.writeString(directory.resolve("admin-token"), ADMIN);
        String members = IntStream.rangeClosed(1, 3)
                .mapToObj(i -> "n" + i + "@10.77.0." + i + ":7070:7071:7072")
                .collect(Collectors.joining(","));
        for (int i = 1; i <= 3; i++) {
            Path config = Files.writeString(
                    directory.resolve("n" + i + ".conf"),
                    String.join(
                            "\n",
                            "node.id = n" + i,
                            "data.dir = " + directory.resolve("n" + i),
                            "http.host = 10.77.0." + i,
                            "cluster.secret = s3cret",
                            "store.url = " + directory.resolve("store").toUri(),
                            "cluster.partitions = 4",
                            "cluster.initial-members = " + members,
                            "auth.admin-token-file = " + token,
                            ""));
            NODES.add(new ProcessBuilder(
                            "ip",
                            "netns",
                            "exec",
                            "h" + i,
                            LocalCluster.HOME.resolve("bin/weir").toString(),
                            "server",
                            "--config",
                            config.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("n" + i + ".log").toFile())
                    .start());
        }
    }

    @AfterAll
    static void stop() {
        NODES.forEach(node -> {
            node.descendants().forEach(ProcessHandle::destroyForcibly);
            node.destroyForcibly().onExit().join();
        });
        if (up) {
            run(NETLAB.toString(), "down", "3");
        }
    }

    @Test
    void minorityRefusesMajorityGoesOnAndAllAgreeAfterwards() throws IOException {
        for (int node = 1; node <= 3; node++) {
            awaitStatus(node, 200, "GET", "/health/ready", "", "");
        }
        Answer made = ask(
                1, "POST", "/api/v1/admin/tokens", ADMIN, "{\"tenant\":\"default\",\"scopes\":[\"write\",\"read\"]}");
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        String token = JSON.readTree(made.body()).required("token").asText();
        awaitStatus(1, 204, "POST", "/api/v2/write?bucket=default", token, rows("before"));

        cut();
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer refused = ask(1, "POST", "/api/v2/write?bucket=default", token, rows("minority"));
            assertThat(refused.status()).as(refused.body()).isEqualTo(503);
            assertThat(refused.body()).contains("no quorum");
        });
        Answer tenant = ask(1, "POST", "/api/v1/admin/tenants", ADMIN, "{\"name\":\"minority\"}");
        assertThat(tenant.status()).as(tenant.body()).isEqualTo(503);
        assertThat(tenant.body()).contains("no quorum");
        awaitStatus(2, 204, "POST", "/api/v2/write?bucket=default", token, rows("majority"));
        awaitStatus(3, 201, "POST", "/api/v1/admin/tenants", ADMIN, "{\"name\":\"majority\"}");

        run(NETLAB.toString(), "heal");
        awaitStatus(1, 204, "POST", "/api/v2/write?bucket=default", token, rows("after"));
        for (int node = 1; node <= 3; node++) {
            int asked = node;
            await().atMost(PATIENCE).untilAsserted(() -> {
                for (String table : List.of("before", "majority", "after")) {
                    Answer answer = ask(asked, "GET", "/api/v1/latest?measurement=" + table, token, "");
                    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
                    assertThat(JSON.readTree(answer.body())
                                    .required("row_count")
                                    .intValue())
                            .isEqualTo(20);
                }
                String tenants =
                        ask(asked, "GET", "/api/v1/admin/tenants", ADMIN, "").body();
                assertThat(tenants).contains("\"majority\"");
            });
        }
    }

    private static void cut() {
        for (String[] pair : new String[][] {{"1", "2"}, {"2", "1"}, {"1", "3"}, {"3", "1"}}) {
            assertThat(run(NETLAB.toString(), "cut", pair[0], pair[1]).status()).isZero();
        }
    }

    private static String rows(String table) {
        return IntStream.range(0, 20)
                .mapToObj(i -> table + ",h=" + i + " v=" + i + "i 1767225600000000000")
                .collect(Collectors.joining("\n"));
    }

    private static void awaitStatus(int node, int status, String method, String path, String token, String body) {
        await().atMost(PATIENCE).untilAsserted(() -> {
            Answer answer = ask(node, method, path, token, body);
            assertThat(answer.status())
                    .as(method + " " + path + " at n" + node + ": " + answer.body())
                    .isEqualTo(status);
        });
    }

    /** Asks a node from its own host. */
    private static Answer ask(int node, String method, String path, String token, String body) {
        List<String> command = new ArrayList<>(List.of(
                "ip", "netns", "exec", "h" + node, "curl", "-s", "-m", "20", "-X", method, "-w", "\n%{http_code}"));
        if (!token.isEmpty()) {
            command.addAll(List.of("-H", "Authorization: Bearer " + token));
        }
        if (!body.isEmpty()) {
            command.addAll(List.of("--data-binary", body));
        }
        command.add("http://10.77.0." + node + ":7070" + path);
        String out = run(command.toArray(String[]::new)).body();
        int line = out.lastIndexOf('\n');
        return new Answer(Integer.parseInt(out.substring(line + 1)), line < 0 ? "" : out.substring(0, line));
    }

    /** Runs a command for a minute at most; status -1 where it can't be run. */
    private static Answer run(String... command) {
        try {
            Path out = Files.createTempFile("weir-split", ".out");
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(out.toFile())
                    .start();
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            Answer answer = new Answer(process.waitFor(), Files.readString(out));
            Files.delete(out);
            return answer;
        } catch (IOException e) {
            return new Answer(-1, String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted in " + Arrays.toString(command), e);
        }
    }
}
