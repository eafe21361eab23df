package dev.weir.wal.ratis;

import dev.weir.wal.FreePorts;
import dev.weir.wal.LogConfig;
import dev.weir.wal.LogException;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * At defaults: how long until the next acknowledged write after the leader was killed with -9, and whether it keeps its leadership
 * through a stop of a second. Two nodes in this process, the leader in another. Arguments: directory, rounds.
 */
final class FailoverBenchmark {
    private static final LogGroupId GROUP = new LogGroupId(UUID.fromString("00000000-0000-4000-8000-000000000001"));

    private FailoverBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        if (arguments.length > 2) {
            serve(directory, arguments[1], members(arguments[2]));
            Thread.sleep(Duration.ofHours(1));
            return;
        }
        int rounds = Integer.parseInt(arguments[1]);
        Path root = Files.createTempDirectory(directory, "failover");
        String ports = FreePorts.next() + "," + FreePorts.next() + "," + FreePorts.next();
        List<RatisLogHost> here = List.of(serve(root, "n2", members(ports)), serve(root, "n3", members(ports)));
        List<Long> killed = new ArrayList<>();
        int lost = 0;
        for (int i = 0; i < rounds; i++) {
            Process child = start(root, ports);
            try {
                giveLeadership(here);
                long term = here.getFirst().status(GROUP).orElseThrow().term();
                signal(child, "-STOP");
                Thread.sleep(Duration.ofMillis(1000));
                signal(child, "-CONT");
                Thread.sleep(Duration.ofMillis(2500));
                if (here.getFirst().status(GROUP).orElseThrow().term() != term) {
                    lost++;
                    giveLeadership(here);
                }
            } finally {
                child.destroyForcibly();
            }
            long start = System.nanoTime();
            write(here);
            killed.add((System.nanoTime() - start) / 1_000_000);
            child.waitFor();
        }
        Collections.sort(killed);
        System.out.println("ms from kill -9 to the next acknowledged write: median " + killed.get(rounds / 2) + ", all "
                + killed + "; leaderships lost by a stop of 1 s: " + lost + " of " + rounds);
        System.exit(0);
    }

    private static LogMembers members(String ports) {
        List<LogPeer> peers = new ArrayList<>();
        for (String port : ports.split(",")) {
            peers.add(new LogPeer("n" + (peers.size() + 1), "127.0.0.1:" + port));
        }
        return LogMembers.voters(peers);
    }

    private static RatisLogHost serve(Path root, String id, LogMembers members) throws Exception {
        LogPeer self = members.voters().stream()
                .filter(peer -> peer.nodeId().equals(id))
                .findFirst()
                .orElseThrow();
        RatisLogHost host = RatisLogHost.start(
                LogConfig.defaults(id, "127.0.0.1", self.address(), root.resolve(id)),
                InstantSource.system(),
                LogMeter.NONE,
                FaultHandler.halting());
        host.open(GROUP, members, new JournalState(id, JournalState.newFolders()))
                .toCompletableFuture()
                .get(60, TimeUnit.SECONDS);
        return host;
    }

    private static Process start(Path root, String ports) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                FailoverBenchmark.class.getName(),
                root.toString(),
                "n1",
                ports));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(root.resolve("child.log").toFile())
                .start();
    }

    private static void giveLeadership(List<RatisLogHost> here) throws InterruptedException {
        while (!"n1".equals(here.getFirst().status(GROUP).orElseThrow().leader())) {
            for (RatisLogHost host : here) {
                if (host.status(GROUP).orElseThrow().leads()) {
                    host.transferLeadership(GROUP, "n1")
                            .toCompletableFuture()
                            .exceptionally(e -> null)
                            .join();
                }
            }
            Thread.sleep(Duration.ofMillis(200));
        }
        Thread.sleep(Duration.ofMillis(1500));
    }

    private static void write(List<RatisLogHost> here) throws InterruptedException {
        while (true) {
            boolean done = here.stream().anyMatch(host -> {
                try {
                    Cluster.get(host.append(GROUP, Cluster.entry(1, 100)));
                    return true;
                } catch (LogException e) {
                    return false;
                }
            });
            if (done) {
                return;
            }
            Thread.sleep(Duration.ofMillis(10));
        }
    }

    private static void signal(Process child, String signal) throws Exception {
        new ProcessBuilder("kill", signal, Long.toString(child.pid())).start().waitFor();
    }
}
