package dev.weir.wal.ratis;

import com.sun.management.OperatingSystemMXBean;
import dev.weir.wal.FreePorts;
import dev.weir.wal.LogConfig;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPeer;
import dev.weir.wal.LogPosition;
import dev.weir.wal.ReplicatedState;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What an append costs: hosts in this process, entries of a size, so many in flight in each group, for some entries after a warm-up.
 * Arguments: directory, hosts, groups, entry bytes, in flight per group, entries to count, entries to warm up with.
 */
final class LogHostBenchmark {
    private LogHostBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory(Path.of(arguments[0]), "bench");
        int hosts = Integer.parseInt(arguments[1]);
        int groups = Integer.parseInt(arguments[2]);
        int size = Integer.parseInt(arguments[3]);
        int inFlight = Integer.parseInt(arguments[4]);
        long count = Long.parseLong(arguments[5]);
        long warmUp = Long.parseLong(arguments[6]);
        List<LogPeer> peers = new ArrayList<>();
        for (int i = 0; i < hosts; i++) {
            peers.add(new LogPeer("n" + i, "127.0.0.1:" + FreePorts.next()));
        }
        List<RatisLogHost> started = new ArrayList<>();
        for (LogPeer peer : peers) {
            started.add(RatisLogHost.start(
                    LogConfig.defaults(peer.nodeId(), "127.0.0.1", peer.address(), directory.resolve(peer.nodeId())),
                    InstantSource.system(),
                    LogMeter.NONE,
                    FaultHandler.halting()));
        }
        List<LogGroupId> ids = new ArrayList<>();
        for (int g = 0; g < groups; g++) {
            LogGroupId id = new LogGroupId(UUID.randomUUID());
            ids.add(id);
            for (RatisLogHost host : started) {
                host.open(id, LogMembers.voters(peers), new NoState())
                        .toCompletableFuture()
                        .get(60, TimeUnit.SECONDS);
            }
        }
        Load load = new Load(started, ids, size, inFlight);
        load.start();
        load.awaitDone(warmUp);
        OperatingSystemMXBean os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpu = os.getProcessCpuTime();
        long done = load.done.get();
        long latency = load.latencyNanos.get();
        long start = System.nanoTime();
        load.awaitDone(done + count);
        double elapsed = (System.nanoTime() - start) / 1e9;
        long entries = load.done.get() - done;
        double cpuMs = (os.getProcessCpuTime() - cpu) / 1e6;
        System.out.printf(
                "hosts %d groups %d size %d in flight %d: %.0f entries/s, %.1f MiB/s, %.3f ms CPU per entry, mean latency %.1f ms, CPU %.2f cores, failed %d%n",
                hosts,
                groups,
                size,
                inFlight,
                entries / elapsed,
                entries * (double) size / elapsed / (1 << 20),
                cpuMs / Math.max(1, entries),
                (load.latencyNanos.get() - latency) / 1e6 / Math.max(1, entries),
                cpuMs / 1e3 / elapsed,
                load.failed.get());
        load.running = false;
        started.forEach(RatisLogHost::close);
        System.exit(0);
    }

    private static final class Load {
        private final List<RatisLogHost> hosts;
        private final List<LogGroupId> groups;
        private final int inFlight;
        private final ByteBuffer entry;
        private final AtomicLong done = new AtomicLong();
        private final AtomicLong failed = new AtomicLong();
        private final AtomicLong latencyNanos = new AtomicLong();
        private volatile boolean running = true;

        Load(List<RatisLogHost> hosts, List<LogGroupId> groups, int size, int inFlight) {
            this.hosts = hosts;
            this.groups = groups;
            this.inFlight = inFlight;
            byte[] bytes = new byte[size];
            new java.util.Random(1).nextBytes(bytes);
            this.entry = ByteBuffer.wrap(bytes);
        }

        void start() {
            for (LogGroupId group : groups) {
                Thread.ofPlatform().daemon().start(() -> run(group));
            }
        }

        void awaitDone(long entries) throws InterruptedException {
            while (done.get() < entries) {
                Thread.sleep(Duration.ofMillis(5));
            }
        }

        private void run(LogGroupId group) {
            Semaphore permits = new Semaphore(inFlight);
            RatisLogHost leader = hosts.getFirst();
            while (running) {
                permits.acquireUninterruptibly();
                long start = System.nanoTime();
                RatisLogHost to = leader;
                CompletionStage<byte[]> reply = to.append(group, entry.duplicate());
                reply.whenComplete((bytes, error) -> {
                    permits.release();
                    if (error == null) {
                        done.incrementAndGet();
                        latencyNanos.addAndGet(System.nanoTime() - start);
                    } else {
                        failed.incrementAndGet();
                    }
                });
                if (reply.toCompletableFuture().isCompletedExceptionally()) {
                    leader = hosts.stream()
                            .filter(host -> host.status(group).orElseThrow().leads())
                            .findFirst()
                            .orElse(leader);
                    Thread.yield();
                }
            }
        }
    }

    private static final class NoState implements ReplicatedState {
        @Override
        public LogPosition restore(Path directory) {
            return LogPosition.NONE;
        }

        @Override
        public byte[] apply(LogPosition position, long leaderClockNanos, ByteBuffer entry) {
            return new byte[16];
        }

        @Override
        public LogPosition snapshot(LogPosition position) {
            return position;
        }

        @Override
        public CompletionStage<LogPosition> install(String leaderNodeId) {
            return CompletableFuture.failedFuture(new IllegalStateException("not in a benchmark"));
        }

        @Override
        public void leadership(boolean leads, String leader, long term) {}

        @Override
        public void close() {}
    }
}
