package dev.weir.ops.local;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.FakeCluster;
import dev.weir.ops.FakeCluster.Run;
import dev.weir.ops.client.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, but of a stand-in for the server. */
final class LocalClusterTest {
    @TempDir
    Path temp;

    private Path dir;

    @BeforeEach
    void makeDistribution() throws IOException {
        dir = temp.resolve("cluster");
        Path script = Files.createDirectories(temp.resolve("home/bin")).resolve("weir");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Files.writeString(
                script,
                "#!/bin/sh\nshift\nexec " + java + " -XX:TieredStopAtLevel=1 -cp "
                        + Path.of("target", "test-classes").toAbsolutePath() + " dev.weir.ops.local.FakeNode \"$@\"\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        System.setProperty("weir.home", temp.resolve("home").toString());
    }

    @AfterEach
    void stopAll() {
        System.clearProperty("weir.home");
        if (ClusterRecord.exists(dir)) {
            LocalCluster.open(dir).nodes().forEach(node -> {
                if (LocalCluster.open(dir).state(node) != ProcessRecord.State.gone) {
                    LocalCluster.open(dir).kill(node.index());
                }
            });
        }
    }

    @Test
    void nodesAreStartedKilledPausedResumedRestartedAndStopped() throws IOException {
        assertThat(local("up", "--nodes", "2", "--http-port", "0", "--detach", "-c", "flush.rows=5")
                        .err())
                .contains("two nodes survive the loss of none");
        assertThat(states()).containsExactly("ready", "ready");
        assertThat(Files.readString(dir.resolve("node1/log"))).contains("-c, flush.rows=5");

        assertThat(local("kill", "1").exitCode()).isZero();
        assertThat(states()).containsExactly("stopped", "ready");
        assertThat(local("kill", "1").exitCode()).isEqualTo(1);

        assertThat(local("pause", "2").exitCode()).isZero();
        assertThat(states()).containsExactly("stopped", "paused");
        assertThat(local("resume", "2").exitCode()).isZero();
        assertThat(states()).containsExactly("stopped", "ready");

        assertThat(local("restart", "1").exitCode()).isZero();
        assertThat(states()).containsExactly("ready", "ready");

        assertThat(local("pause", "2").exitCode()).isZero();
        assertThat(local("down").exitCode()).isZero();
        assertThat(states()).containsExactly("stopped", "stopped");

        assertThat(local("up", "--detach").exitCode()).isZero();
        assertThat(states()).containsExactly("ready", "ready");
    }

    @Test
    void portsAndMembersFollowFromTheFirstPort() throws IOException {
        LocalNode node = LocalNode.of(dir, 2, 7070);
        assertThat(node.ports()).containsExactly(7071, 7171, 7271, 7371);

        ClusterRecord grown = new ClusterRecord(3, 2, 7070, 2, 4, List.of());
        Files.createDirectories(dir);
        grown.write(dir);
        for (LocalNode each : grown.members(dir)) {
            NodeConfigFile.write(dir, grown, each);
        }
        assertThat(Files.readString(dir.resolve("node2/weir.conf")))
                .contains("cluster.initial-members = node1@127.0.0.1:7070:7170:7270,node2@127.0.0.1:7071:7171:7271\n")
                .contains("http.port = 7071\n")
                .contains("flight.port = 7371\n")
                .contains("store.url = " + dir.resolve("store").toUri())
                .contains("cluster.partitions = 4\n");
        assertThat(Files.readString(dir.resolve("node3/weir.conf")))
                .contains("cluster.join = ")
                .doesNotContain("cluster.initial-members");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(dir.resolve("secret"))))
                .isEqualTo("rw-------");
    }

    @Test
    void settingsAreKeptUntilTheyAreGivenAgainOrTakenBack() {
        ClusterRecord born = settings("flush.rows=5", "sql.routing=local").born();

        ClusterRecord changed = settings("flush.age=1s", "flush.rows=7").continued(born);
        assertThat(changed.settings()).containsExactly("flush.rows=7", "sql.routing=local", "flush.age=1s");
        assertThat(settings().continued(changed)).isEqualTo(changed);
        assertThat(settings("flush.rows=").continued(changed).settings())
                .containsExactly("sql.routing=local", "flush.age=1s");
    }

    private static LocalPlan settings(String... settings) {
        return new LocalPlan(Optional.of(1), Optional.of(7070), Optional.empty(), Optional.empty(), List.of(settings));
    }

    @Test
    void nodesWithACertificateAreAskedByHttps() {
        LocalPlan plan = new LocalPlan(
                Optional.of(1),
                Optional.of(7070),
                Optional.empty(),
                Optional.empty(),
                List.of("http.tls.cert=old.crt", "http.tls.cert=certs/../a.crt", "http.tls.key=/a.key"));
        ClusterRecord record = plan.born();

        String certificate = Path.of("a.crt").toAbsolutePath().toString();
        assertThat(record.settings()).contains("http.tls.cert=" + certificate, "http.tls.key=/a.key");
        assertThat(record.members(dir).getFirst().url()).hasToString("https://127.0.0.1:7070");
        assertThat(record.trust().authorities()).contains(Path.of(certificate));
        assertThat(record.grown(1, List.of("http.tls.cert="))
                        .members(dir)
                        .getFirst()
                        .url())
                .hasToString("http://127.0.0.1:7070");
    }

    @Test
    void failureToStartShowsTheEndOfTheLog() {
        Run run = local("up", "--nodes", "1", "--http-port", "0", "--detach", "-c", "fake.fault=crash");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).contains("node1 ended while starting").contains("expected a folder, found a file");
    }

    @Test
    void aNodeThatIsNeverReadyIsStoppedAndItsCauseTold() throws IOException {
        Run run = local(
                "up", "--nodes", "1", "--http-port", "0", "--detach", "--timeout", "3", "-c", "fake.fault=never-ready");

        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err()).contains("not ready after 3 s: no catalog leader");
        assertThat(states()).containsExactly("stopped");
    }

    @Test
    void aClusterThatIsThereGoesOnAsItWasBorn() {
        assertThat(local("up", "--nodes", "1", "--http-port", "0", "--detach").exitCode())
                .isZero();

        assertThat(local("up", "--partitions", "9", "--detach").err()).contains("born with --partitions 8, found 9");
        assertThat(local("up", "--rf", "1", "--detach").exitCode()).isZero();
    }

    @Test
    void aForeignProcessWithTheSamePidIsNeverSignalled() throws IOException {
        assertThat(local("up", "--nodes", "1", "--http-port", "0", "--detach").exitCode())
                .isZero();
        Path pidFile = dir.resolve("node1/pid");
        ProcessRecord own = ProcessRecord.read(pidFile).orElseThrow();
        new ProcessRecord(own.pid(), own.startTicks() + 1, own.bootId()).write(pidFile);

        assertThat(local("kill", "1").exitCode()).isEqualTo(1);
        assertThat(own.state()).isEqualTo(ProcessRecord.State.running);
        own.write(pidFile);
    }

    private Run local(String... args) {
        List<String> all = new ArrayList<>(List.of("local"));
        all.addAll(List.of(args));
        all.addAll(List.of("--dir", dir.toString()));
        return FakeCluster.runAlone(all.toArray(String[]::new));
    }

    private List<String> states() throws IOException {
        List<String> states = new ArrayList<>();
        for (JsonNode node :
                Json.MAPPER.readTree(local("status", "-o", "json").out()).path("nodes")) {
            states.add(node.path("state").asText());
        }
        return states;
    }
}
