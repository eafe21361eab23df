package dev.weir.partition.engine;

import dev.weir.wal.LogException;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPosition;
import dev.weir.wal.LogStatus;
import dev.weir.wal.ReplicatedState;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.LongSupplier;

/** Logs in memory, each with one replica, which leads. Entries are applied on one thread, in order of append. */
final class MemoryLogHost implements LogHost {
    private final Path directory;
    private final LongSupplier clock;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Map<LogGroupId, Group> groups = new HashMap<>();

    /** Where appends go wrong, when set; those that free space are taken all the same. */
    volatile LogException failure;

    /** Entries are taken, but who appended them never learns. */
    volatile boolean losesAnswers;

    /** In which entries are taken. */
    volatile long term = 1;

    private static final class Group {
        private final ReplicatedState state;
        private final List<byte[]> entries = new ArrayList<>();

        private Group(ReplicatedState state) {
            this.state = state;
        }
    }

    MemoryLogHost(Path directory, LongSupplier clock) {
        this.directory = directory;
        this.clock = clock;
    }

    @Override
    public synchronized CompletionStage<Void> open(LogGroupId group, LogMembers members, ReplicatedState state) {
        state.restore(directory.resolve(group.toString()));
        state.leadership(true, "self", 1);
        groups.put(group, new Group(state));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<byte[]> append(LogGroupId id, ByteBuffer entry) {
        return take(id, entry, false);
    }

    @Override
    public CompletionStage<byte[]> appendFreeing(LogGroupId id, ByteBuffer entry) {
        return take(id, entry, true);
    }

    private CompletionStage<byte[]> take(LogGroupId id, ByteBuffer entry, boolean frees) {
        Group group = groups.get(id);
        byte[] bytes = new byte[entry.remaining()];
        entry.duplicate().get(bytes);
        return CompletableFuture.supplyAsync(
                () -> {
                    LogException fails = failure;
                    if (fails != null && !frees) {
                        throw fails;
                    }
                    group.entries.add(bytes);
                    LogPosition position = new LogPosition(term, group.entries.size());
                    byte[] reply = group.state.apply(position, clock.getAsLong(), ByteBuffer.wrap(bytes));
                    if (losesAnswers) {
                        throw new LogException(LogException.Kind.UNKNOWN, "the answer is lost");
                    }
                    return reply;
                },
                thread);
    }

    @Override
    public CompletionStage<LogPosition> snapshot(LogGroupId id) {
        Group group = groups.get(id);
        return CompletableFuture.supplyAsync(
                () -> group.state.snapshot(new LogPosition(term, group.entries.size())), thread);
    }

    @Override
    public CompletionStage<Void> linearize(LogGroupId group) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {
        thread.close();
        groups.values().forEach(group -> group.state.close());
    }

    @Override
    public CompletionStage<Void> close(LogGroupId group) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> retire(LogGroupId group) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Set<LogGroupId> onDisk() {
        return Set.copyOf(groups.keySet());
    }

    @Override
    public Optional<LogStatus> status(LogGroupId group) {
        return Optional.empty();
    }

    @Override
    public CompletionStage<Void> setMembers(LogGroupId group, LogMembers members) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletionStage<Void> transferLeadership(LogGroupId group, String nodeId) {
        throw new UnsupportedOperationException();
    }
}
