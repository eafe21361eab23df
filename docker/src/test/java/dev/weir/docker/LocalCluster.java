package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * A cluster of the packaged distribution, one process a node, on free ports, run by {@code bin/weir local}. As an extension
 * ({@code @RegisterExtension static final LocalCluster CLUSTER = LocalCluster.of(3)}) it lives as long as its test class; else
 * {@link #up} and {@link #close} bound its life.
 *
 * <p>Its folder goes at the end; where a test failed, the logs of the nodes stay in {@code target/it-logs}.
 */
final class LocalCluster implements AutoCloseable, BeforeAllCallback, AfterAllCallback, TestWatcher {
    static final Path HOME = Path.of(System.getProperty("weir.home", "target/weir-0.1.0/weir-0.1.0"));

    static final String ADMIN_TOKEN = "admin-token-of-the-tests";

    private static final Path TARGET = Path.of("target").toAbsolutePath();
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final Duration READY = Duration.ofSeconds(150);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static boolean isWarm;
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    private final int nodes;
    private final List<String> options;
    private final Path dir;
    private final Map<Integer, SmallDisk> disks = new TreeMap<>();
    private final Map<Integer, Function<Path, SmallDisk>> mounts = new TreeMap<>();
    private String name = "cluster";
    private int httpPort;
    private boolean failed;

    private LocalCluster(int nodes, List<String> options) {
        this.nodes = nodes;
        this.options = options;
        this.dir = TARGET.resolve("it").resolve(ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet());
    }

    /** @param options more words for {@code weir local up}, for example {@code "-c", "flush.rows=5"} */
    static LocalCluster of(int nodes, String... options) {
        return new LocalCluster(nodes, List.of(options));
    }

    /** With authentication; its admin token is {@link #ADMIN_TOKEN}. */
    static LocalCluster withTokens(int nodes, String... options) {
        try {
            Path file = Files.createDirectories(TARGET.resolve("it")).resolve("admin-token");
            Files.writeString(file, ADMIN_TOKEN + "\n");
            List<String> all = new ArrayList<>(List.of(options));
            all.addAll(List.of("-c", "auth.admin-token-file=" + file));
            return of(nodes, all.toArray(String[]::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A token of the default tenant, where there is authentication. */
    String newToken(String scopes) {
        return weir("tokens", "create", "--tenant", "default", "--scope", scopes, "--token", ADMIN_TOKEN)
                .orFail()
                .out()
                .strip();
    }

    /** The node's data folder is to lie on a disk of its own, which {@code mount} makes at the given path. */
    LocalCluster onDisk(int node, Function<Path, SmallDisk> mount) {
        mounts.put(node, mount);
        return this;
    }

    SmallDisk disk(int node) {
        return Objects.requireNonNull(disks.get(node), "node " + node + " has no disk of its own");
    }

    /** Starts the nodes that do not run, and waits until all are ready. */
    LocalCluster up() {
        synchronized (LocalCluster.class) { // two at once might take the same free ports
            start();
        }
        return this;
    }

    private void start() {
        if (!isWarm) {
            isWarm = true;
            weir("warm"); // without it servers start slower, and that is all
        }
        List<String> words =
                new ArrayList<>(List.of("local", "up", "--dir", dir.toString(), "--detach", "--timeout", "150"));
        if (httpPort == 0) {
            mounts.forEach((node, mount) -> disks.put(node, mount.apply(data(node))));
            words.addAll(List.of("--nodes", Integer.toString(nodes), "--http-port", "0"));
            words.addAll(options);
        }
        weir(words.toArray(String[]::new)).orFail();
        httpPort = dev.weir.ops.local.LocalCluster.open(dir).urls().stream()
                .map(url -> URI.create(url).getPort())
                .findFirst()
                .orElseThrow();
    }

    Path dir() {
        return dir;
    }

    private Path data(int node) {
        return dir.resolve("node" + node).resolve("data");
    }

    /** What the node has logged. */
    Path log(int node) {
        return dir.resolve("node" + node).resolve("log");
    }

    int size() {
        return nodes;
    }

    /** The address of node 1, 2, … */
    String url(int node) {
        return "http://127.0.0.1:" + (httpPort + node - 1);
    }

    List<String> urls() {
        return process().urls();
    }

    void kill(int node) {
        process().kill(node);
    }

    void pause(int node) {
        process().pause(node);
    }

    void resume(int node) {
        process().resume(node);
    }

    /** Stops the node in order if it runs, starts it, waits until it is ready. */
    void restart(int node) {
        weir("local", "restart", Integer.toString(node), "--dir", dir.toString())
                .orFail();
    }

    /** Stops all nodes in order. */
    void down() {
        weir("local", "down", "--dir", dir.toString()).orFail();
    }

    /** Starts the nodes that do not run, and waits for none. */
    void startMissing() {
        try {
            process().startMissing();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Process ids of the nodes that run or are paused, node 1 first. */
    List<Long> pids() {
        return process().pids();
    }

    boolean ready(int node) {
        try {
            return get(node, "/health/ready").statusCode() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    void awaitReady() {
        await().atMost(READY).until(() -> IntStream.rangeClosed(1, nodes).allMatch(this::ready));
    }

    /** All partitions, as a node sees them. */
    JsonNode partitions(int node) throws IOException {
        return JSON.readTree(get(node, "/api/v1/admin/partitions").body()).required("partitions");
    }

    /** What a node answers a statement that it must take. */
    JsonNode sql(int node, String statement) throws IOException {
        HttpResponse<String> answer = post(node, "/api/v1/sql", statement);
        assertThat(answer.statusCode()).as("%s: %s", statement, answer.body()).isEqualTo(200);
        return JSON.readTree(answer.body());
    }

    /** A meter of a node, summed over its labels; 0 where it has none. */
    double metric(int node, String name) throws IOException {
        return get(node, "/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    /** The number of the node that leads a partition; empty while none is known to {@code asked}. */
    OptionalInt leader(int asked, int partition) throws IOException {
        String leader = partitions(asked).path(partition).path("leader").asText("");
        return leader.startsWith("node")
                ? OptionalInt.of(Integer.parseInt(leader.substring("node".length())))
                : OptionalInt.empty();
    }

    private dev.weir.ops.local.LocalCluster process() {
        return dev.weir.ops.local.LocalCluster.open(dir);
    }

    /** Runs {@code bin/weir} with these words; knows this cluster by {@code WEIR_URL}. */
    Run weir(String... words) {
        List<String> command = new ArrayList<>(List.of(HOME.resolve("bin/weir").toString()));
        command.addAll(Arrays.asList(words));
        return run(command);
    }

    /** Runs a command with {@code WEIR_URL} set to all nodes, for five minutes at most. */
    Run run(List<String> command) {
        try {
            Path out = Files.createTempFile("weir-it", ".out");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(out.toFile());
            if (httpPort != 0) {
                builder.environment().put("WEIR_URL", String.join(",", urls()));
            }
            Process process = builder.start();
            if (!process.waitFor(300, java.util.concurrent.TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            Run run = new Run(String.join(" ", command), process.waitFor(), Files.readString(out));
            Files.delete(out);
            return run;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted in " + command, e);
        }
    }

    /** What a command came to; out holds what it wrote to both its outputs. */
    record Run(String command, int exitCode, String out) {
        Run orFail() {
            if (exitCode != 0) {
                throw new AssertionError(command + " ended with " + exitCode + ", expected 0:\n" + out);
            }
            return this;
        }
    }

    HttpResponse<String> get(int node, String path) throws IOException {
        return send(HttpRequest.newBuilder(URI.create(url(node) + path)).GET());
    }

    HttpResponse<String> post(int node, String path, String body) throws IOException {
        return send(HttpRequest.newBuilder(URI.create(url(node) + path)).POST(BodyPublishers.ofString(body)));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return HTTP.send(request.timeout(Duration.ofSeconds(60)).build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** To be called when a test that used this cluster failed: its logs are kept. */
    void keepLogs() {
        failed = true;
    }

    @Override
    public void close() {
        if (!Files.exists(dir)) {
            return;
        }
        dev.weir.ops.local.LocalCluster.discard(dir);
        disks.values().forEach(SmallDisk::close);
        try {
            if (failed) {
                copyLogs();
            }
            deleteFolder();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void copyLogs() throws IOException {
        for (int node = 1; node <= nodes; node++) {
            Path log = log(node);
            if (Files.exists(log)) {
                Path kept = TARGET.resolve("it-logs").resolve(name).resolve("node" + node + ".log");
                Files.createDirectories(kept.getParent());
                Files.copy(log, kept, StandardCopyOption.REPLACE_EXISTING);
                List<String> lines = Files.readAllLines(log);
                System.out.println("--- the end of " + kept + "\n"
                        + String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size())));
            }
        }
    }

    private void deleteFolder() throws IOException {
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        name = context.getRequiredTestClass().getSimpleName();
        try {
            up();
        } catch (AssertionError e) {
            failed = true;
            close();
            throw e;
        }
    }

    @Override
    public void testFailed(ExtensionContext context, Throwable cause) {
        failed = true;
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }
}
