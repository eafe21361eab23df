package dev.weir.wal.ratis;

import dev.weir.wal.LogPosition;
import dev.weir.wal.ReplicatedState;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Keeps the first eight bytes of each entry, in order, with position and clock. Its snapshots are files; it fetches one by copying it
 * out of the other node's folder, which it finds in a directory of all states of the test.
 */
final class JournalState implements ReplicatedState {
    /** What was applied. */
    record Line(long index, long clockNanos, long value) {}

    /** What it was told. */
    record Told(boolean leads, String leader, long term) {}

    static final byte[] FAIL = "apply must fail".getBytes(java.nio.charset.StandardCharsets.UTF_8);

    private final Map<String, Path> folders;
    private final String nodeId;
    final AtomicInteger installs = new AtomicInteger();
    final AtomicInteger snapshots = new AtomicInteger();
    final AtomicInteger restores = new AtomicInteger();
    final List<Told> told = new ArrayList<>();
    volatile CountDownLatch installGate = new CountDownLatch(0);
    volatile CountDownLatch applyGate = new CountDownLatch(0);
    volatile boolean closed;
    /** As if the process were killed: what is in memory is not made durable any more. */
    volatile boolean forgetful;

    volatile boolean usesReserve;
    /** As if there were no space for what it writes itself. */
    volatile boolean diskFull;

    private final AtomicInteger inside = new AtomicInteger();
    private Path folder;
    private List<Line> lines = new ArrayList<>();
    private LogPosition last = LogPosition.NONE;
    private LogPosition durable = LogPosition.NONE;

    JournalState(String nodeId, Map<String, Path> folders) {
        this.nodeId = nodeId;
        this.folders = folders;
    }

    static Map<String, Path> newFolders() {
        return new ConcurrentHashMap<>();
    }

    @Override
    public LogPosition restore(Path directory) {
        enter();
        try {
            restores.incrementAndGet();
            folder = directory;
            folders.put(nodeId, directory);
            List<Line> loaded = new ArrayList<>();
            LogPosition position = LogPosition.NONE;
            Path file = directory.resolve("snapshot");
            if (Files.exists(file)) {
                try (DataInputStream in =
                        new DataInputStream(new java.io.BufferedInputStream(Files.newInputStream(file)))) {
                    position = new LogPosition(in.readLong(), in.readLong());
                    int count = in.readInt();
                    for (int i = 0; i < count; i++) {
                        loaded.add(new Line(in.readLong(), in.readLong(), in.readLong()));
                    }
                }
            }
            synchronized (this) {
                lines = loaded;
                last = position;
            }
            durable = position;
            return position;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            leave();
        }
    }

    @Override
    public byte[] apply(LogPosition position, long leaderClockNanos, ByteBuffer entry) {
        enter();
        try {
            await(applyGate);
            requireSpace();
            if (entry.equals(ByteBuffer.wrap(FAIL))) {
                throw new IllegalStateException("told to fail");
            }
            long value = entry.getLong(entry.position());
            synchronized (this) {
                if (position.index() <= last.index()) {
                    throw new IllegalStateException(position + " after " + last);
                }
                last = position;
                lines.add(new Line(position.index(), leaderClockNanos, value));
            }
            return ByteBuffer.allocate(16)
                    .putLong(position.index())
                    .putLong(value)
                    .array();
        } finally {
            leave();
        }
    }

    @Override
    public LogPosition snapshot(LogPosition position) {
        enter();
        try {
            if (forgetful) {
                return durable;
            }
            requireSpace();
            Path temporary = folder.resolve("snapshot.tmp");
            synchronized (this) {
                try (DataOutputStream out =
                        new DataOutputStream(new java.io.BufferedOutputStream(Files.newOutputStream(temporary)))) {
                    out.writeLong(position.term());
                    out.writeLong(position.index());
                    out.writeInt(lines.size());
                    for (Line line : lines) {
                        out.writeLong(line.index());
                        out.writeLong(line.clockNanos());
                        out.writeLong(line.value());
                    }
                }
            }
            Files.move(temporary, folder.resolve("snapshot"), StandardCopyOption.ATOMIC_MOVE);
            snapshots.incrementAndGet();
            durable = position;
            return position;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            leave();
        }
    }

    @Override
    public CompletionStage<LogPosition> install(String leaderNodeId) {
        installs.incrementAndGet();
        CompletableFuture<LogPosition> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(fetch(leaderNodeId));
            } catch (RuntimeException e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }

    private LogPosition fetch(String leaderNodeId) {
        await(installGate);
        try {
            Path temporary = folder.resolve("install.tmp");
            Files.copy(folders.get(leaderNodeId).resolve("snapshot"), temporary, StandardCopyOption.REPLACE_EXISTING);
            Files.move(temporary, folder.resolve("snapshot"), StandardCopyOption.ATOMIC_MOVE);
            try (DataInputStream in = new DataInputStream(Files.newInputStream(folder.resolve("snapshot")))) {
                return new LogPosition(in.readLong(), in.readLong());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void leadership(boolean leads, String leader, long term) {
        synchronized (told) {
            told.add(new Told(leads, leader, term));
        }
    }

    @Override
    public boolean usesReserve() {
        return usesReserve;
    }

    @Override
    public void close() {
        closed = true;
    }

    synchronized List<Line> lines() {
        return List.copyOf(lines);
    }

    List<Long> values() {
        return lines().stream().map(Line::value).toList();
    }

    synchronized int size() {
        return lines.size();
    }

    boolean leads() {
        synchronized (told) {
            return !told.isEmpty() && told.getLast().leads();
        }
    }

    private void requireSpace() {
        if (diskFull) {
            throw new UncheckedIOException(new IOException("No space left on device"));
        }
    }

    private void enter() {
        if (inside.incrementAndGet() != 1) {
            throw new IllegalStateException("two calls at once");
        }
    }

    private void leave() {
        inside.decrementAndGet();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
