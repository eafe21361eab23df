package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.weir.wal.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * All nodes come back under other addresses (OP-01): host names that mean other addresses than before, with nothing edited; then other ports. The names
 * are those of a hosts file, the addresses those of loopback's network.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class AddressesIT {
    private static final int NODES = 3;
    private static final int ROWS = 60;
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    /** The JVM looks names up in the file that follows, and Vert.x asks the JVM instead of DNS. */
    private static final String JVM_OPTIONS = "-Dvertx.disableDnsResolver=true -Djdk.net.hosts.file=";

    private static final List<ServerProcess> SERVERS = new ArrayList<>();
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();

    @TempDir
    static Path directory;

    private static int network = 1;
    private static int[] ports = {};
    private static int written;

    @AfterAll
    static void stop() {
        SERVERS.forEach(ServerProcess::close);
    }

    @Test
    @Order(1)
    void hostNamesThatMeanOtherAddressesNeedNoEdit() throws IOException {
        ports = freePorts();
        configure();
        name(network);
        start();
        writeThroughAll();
        stopInOrder();

        network = 2;
        name(network);
        start();
        assertAllRowsAreThere();
        writeThroughAll();
        assertAllRowsAreThere();
    }

    @Test
    @Order(2)
    void otherPortsInEachConfigurationAreEnough() throws IOException {
        stopInOrder();
        ports = freePorts();
        configure();
        start();
        assertAllRowsAreThere();
        writeThroughAll();
        assertAllRowsAreThere();
    }

    /** Every node listens on its name and says nothing but names to others. */
    private static void configure() throws IOException {
        String members =
                IntStream.rangeClosed(1, NODES).mapToObj(AddressesIT::member).collect(Collectors.joining(","));
        for (int node = 1; node <= NODES; node++) {
            int first = 3 * (node - 1);
            Files.write(
                    config(node),
                    List.of(
                            "node.id = n" + node,
                            "data.dir = " + directory.resolve("n" + node),
                            "http.host = " + host(node),
                            "http.port = " + ports[first],
                            "raft.port = " + ports[first + 1],
                            "hazelcast.port = " + ports[first + 2],
                            "flight.enabled = off",
                            "cluster.partitions = 4",
                            "cluster.secret = s3cret",
                            "store.url = " + directory.resolve("store").toUri(),
                            "cluster.initial-members = " + members));
        }
    }

    private static String member(int node) {
        int first = 3 * (node - 1);
        return "n" + node + "@" + host(node) + ":" + ports[first] + ":" + ports[first + 1] + ":" + ports[first + 2];
    }

    private static String host(int node) {
        return "n" + node + ".weir.test";
    }

    private static Path config(int node) {
        return directory.resolve("n" + node + ".conf");
    }

    private static Path hosts() {
        return directory.resolve("hosts");
    }

    private static void name(int inNetwork) throws IOException {
        Files.write(
                hosts(),
                IntStream.rangeClosed(1, NODES)
                        .mapToObj(node -> address(inNetwork, node) + " " + host(node))
                        .toList());
    }

    private static String address(int inNetwork, int node) {
        return "127.77." + inNetwork + "." + node;
    }

    private static void start() {
        for (int node = 1; node <= NODES; node++) {
            SERVERS.add(ServerProcess.start(config(node), JVM_OPTIONS + hosts()));
        }
        for (int node = 1; node <= NODES; node++) {
            int asked = node;
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(status(ask(asked, "GET", "/health/ready", "")))
                            .as("readiness of n%d, whose log ends with %s", asked, tail(asked))
                            .isEqualTo(200));
        }
    }

    private static String tail(int node) {
        return SERVERS.get(SERVERS.size() - NODES + node - 1).logTail();
    }

    private static void stopInOrder() {
        SERVERS.parallelStream().forEach(ServerProcess::stop);
        SERVERS.clear();
    }

    private static void writeThroughAll() {
        for (int node = 1; node <= NODES; node++) {
            String body = IntStream.range(written, written + ROWS)
                    .mapToObj(i -> "moved,h=" + i + " v=" + i + "i 1767225600000000000")
                    .collect(Collectors.joining("\n"));
            int asked = node;
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(status(ask(asked, "POST", "/api/v2/write", body)))
                            .isEqualTo(204));
            written += ROWS;
        }
    }

    private static void assertAllRowsAreThere() {
        for (int node = 1; node <= NODES; node++) {
            int asked = node;
            await().atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(ask(asked, "GET", "/api/v1/latest?measurement=moved", "")
                                    .map(HttpResponse::body)
                                    .orElse("no answer"))
                            .as("rows that n%d has", asked)
                            .contains("\"row_count\":" + written));
        }
    }

    private static int status(Optional<HttpResponse<String>> answer) {
        return answer.map(HttpResponse::statusCode).orElse(0);
    }

    /** Empty where nobody answers. */
    private static Optional<HttpResponse<String>> ask(int node, String method, String path, String body) {
        URI uri = URI.create("http://" + address(network, node) + ":" + ports[3 * (node - 1)] + path);
        HttpRequest request = HttpRequest.newBuilder(uri)
                .timeout(Duration.ofSeconds(20))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        try {
            return Optional.of(HTTP.send(request, BodyHandlers.ofString()));
        } catch (IOException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Three for each node, in order. */
    private static int[] freePorts() {
        return IntStream.range(0, 3 * NODES).map(any -> FreePorts.next()).toArray();
    }
}
