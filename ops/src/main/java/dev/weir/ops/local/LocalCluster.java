package dev.weir.ops.local;

import dev.weir.ops.client.CommandFailedException;
import dev.weir.ops.local.ProcessRecord.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A cluster of processes on this machine. All state is in its folder, so any number of {@code weir local} calls may work on it, one
 * after the other. Only processes that were started here are ever signalled.
 */
public final class LocalCluster {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
    private static final Duration KILL_LIMIT = Duration.ofSeconds(20);
    private static final int TAIL_LINES = 20;

    private final Path dir;
    private final ClusterRecord record;

    private LocalCluster(Path dir, ClusterRecord record) {
        this.dir = dir;
        this.record = record;
    }

    /** The cluster that lives in a folder. */
    public static LocalCluster open(Path dir) {
        Path absolute = dir.toAbsolutePath().normalize();
        return new LocalCluster(absolute, ClusterRecord.read(absolute));
    }

    /** Creates the folder's cluster, or changes what may be changed of it: more nodes, other settings. Starts nothing. */
    public static LocalCluster prepare(Path dir, LocalPlan plan) throws IOException {
        Path absolute = dir.toAbsolutePath().normalize();
        ClusterRecord record =
                ClusterRecord.exists(absolute) ? plan.continued(ClusterRecord.read(absolute)) : plan.born();
        record.write(absolute);
        LocalCluster cluster = new LocalCluster(absolute, record);
        for (LocalNode node : cluster.nodes()) {
            NodeConfigFile.write(absolute, record, node);
        }
        return cluster;
    }

    public Path dir() {
        return dir;
    }

    public int size() {
        return record.nodes();
    }

    /** Addresses of all nodes, node 1 first. */
    public List<String> urls() {
        return nodes().stream().map(node -> node.url().toString()).toList();
    }

    /** Process ids of the nodes that are running or paused. */
    public List<Long> pids() {
        return nodes().stream()
                .flatMap(node -> process(node).stream())
                .filter(process -> process.state() != State.gone)
                .map(ProcessRecord::pid)
                .toList();
    }

    /** What a node says of itself. */
    Health health(LocalNode node) {
        try (NodeProbe probe = NodeProbe.of(node, record.trust())) {
            return probe.ask();
        }
    }

    List<LocalNode> nodes() {
        return record.members(dir);
    }

    LocalNode node(int index) {
        if (index < 1 || index > record.nodes()) {
            throw CommandFailedException.refused("expected a node from 1 to " + record.nodes() + ", found " + index);
        }
        return nodes().get(index - 1);
    }

    Optional<ProcessRecord> process(LocalNode node) {
        return ProcessRecord.read(node.processFile());
    }

    State state(LocalNode node) {
        return process(node).map(ProcessRecord::state).orElse(State.gone);
    }

    /** Starts every node that is not running, without waiting for it. Answers the ids of what it started. */
    public List<String> startMissing() throws IOException {
        return startGone().stream().map(LocalNode::id).toList();
    }

    List<LocalNode> startGone() throws IOException {
        List<LocalNode> started = new ArrayList<>();
        List<LocalNode> missing =
                nodes().stream().filter(node -> state(node) == State.gone).toList();
        missing.forEach(LocalPorts::requireFree);
        for (LocalNode node : missing) {
            start(node);
            started.add(node);
        }
        return started;
    }

    /** Starts every node that is not running and waits until all are ready. */
    public void startAll(Duration limit) throws IOException {
        startGone();
        awaitReady(nodes(), limit);
    }

    /** Kills what runs of the cluster in a folder that is about to be removed; no cluster there is fine. */
    public static void discard(Path dir) {
        if (ClusterRecord.exists(dir)) {
            LocalCluster cluster = open(dir);
            cluster.nodes().forEach(node -> cluster.signal(node, "KILL"));
            cluster.nodes().forEach(node -> cluster.awaitGone(node, KILL_LIMIT));
        }
    }

    private void start(LocalNode node) throws IOException {
        List<String> command = new ArrayList<>(ServerCommand.words());
        command.addAll(List.of("--config", node.configFile().toString()));
        record.settings().forEach(setting -> command.addAll(List.of("-c", setting)));
        Process process = new ProcessBuilder(command)
                .directory(node.dir().toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(ProcessBuilder.Redirect.appendTo(node.log().toFile()))
                .start();
        ProcessRecord.of(process.pid()).write(node.processFile());
    }

    /** Waits until the given nodes say that they are ready; says which is not, why, and what its log ends with. */
    void awaitReady(List<LocalNode> waited, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        for (LocalNode node : waited) {
            try (NodeProbe probe = NodeProbe.of(node, record.trust())) {
                Health[] last = {new Health(Optional.empty(), false, List.of())};
                boolean settled = Waiting.until(Duration.ofNanos(end - System.nanoTime()), () -> {
                    last[0] = probe.ask();
                    return last[0].ready() || state(node) == State.gone;
                });
                if (state(node) == State.gone) {
                    throw CommandFailedException.refused(node.id() + " ended while starting." + logTail(node));
                }
                if (!settled) {
                    throw CommandFailedException.timedOut(node.id() + " is not ready after " + limit.toSeconds()
                            + " s: " + String.join("; ", last[0].causes()) + "." + logTail(node));
                }
            }
        }
    }

    private static String logTail(LocalNode node) {
        try {
            List<String> lines = Files.readAllLines(node.log());
            List<String> tail = lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
            return " The end of " + node.log() + ":\n  " + String.join("\n  ", tail);
        } catch (IOException e) {
            return " No log at " + node.log() + ".";
        }
    }

    /** SIGKILL; returns when the process is gone. */
    public void kill(int index) {
        LocalNode node = running(index);
        signal(node, "KILL");
        awaitGone(node, KILL_LIMIT);
    }

    public void pause(int index) {
        LocalNode node = running(index);
        signal(node, "STOP");
        Waiting.until(KILL_LIMIT, () -> state(node) != State.running);
    }

    public void resume(int index) {
        LocalNode node = running(index);
        signal(node, "CONT");
        Waiting.until(KILL_LIMIT, () -> state(node) != State.paused);
    }

    /** Stops the node in order if it runs, starts it again, and waits until it is ready. */
    public void restart(int index, Duration limit) throws IOException {
        LocalNode node = node(index);
        stop(List.of(node));
        LocalPorts.requireFree(node);
        start(node);
        awaitReady(List.of(node), limit);
    }

    /** Stops all nodes in order; what does not end in time is killed. Answers the ids of those. */
    public List<String> down() {
        return stop(nodes());
    }

    List<String> stop(List<LocalNode> stopped) {
        List<LocalNode> alive =
                stopped.stream().filter(node -> state(node) != State.gone).toList();
        for (LocalNode node : alive) {
            signal(node, "TERM");
            signal(node, "CONT");
        }
        List<String> killed = new ArrayList<>();
        long end = System.nanoTime() + STOP_LIMIT.toNanos();
        for (LocalNode node : alive) {
            if (!Waiting.until(Duration.ofNanos(end - System.nanoTime()), () -> state(node) == State.gone)) {
                signal(node, "KILL");
                awaitGone(node, KILL_LIMIT);
                killed.add(node.id());
            }
        }
        return killed;
    }

    private void awaitGone(LocalNode node, Duration limit) {
        if (!Waiting.until(limit, () -> state(node) == State.gone)) {
            throw CommandFailedException.timedOut(
                    node.id() + " is still there " + limit.toSeconds() + " s after SIGKILL");
        }
    }

    private LocalNode running(int index) {
        LocalNode node = node(index);
        if (state(node) == State.gone) {
            throw CommandFailedException.refused(node.id() + " is not running");
        }
        return node;
    }

    private void signal(LocalNode node, String name) {
        try {
            Optional<ProcessRecord> process = process(node);
            if (process.isPresent()) {
                process.get().signal(name);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't signal " + node.id(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
