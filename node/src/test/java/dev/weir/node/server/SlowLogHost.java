package dev.weir.node.server;

import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogHost;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogPosition;
import dev.weir.wal.LogStatus;
import dev.weir.wal.ReplicatedState;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Opens a group when the test says so, and keeps the first state that it was given for it. */
final class SlowLogHost implements LogHost {
    private final Map<LogGroupId, CompletableFuture<Void>> groups = new ConcurrentHashMap<>();
    final Map<LogGroupId, ReplicatedState> states = new ConcurrentHashMap<>();
    final List<LogGroupId> retired = new CopyOnWriteArrayList<>();

    CompletableFuture<Void> opening(LogGroupId group) {
        return groups.computeIfAbsent(group, any -> new CompletableFuture<>());
    }

    @Override
    public CompletionStage<Void> open(LogGroupId group, LogMembers members, ReplicatedState state) {
        states.putIfAbsent(group, state);
        return opening(group).copy();
    }

    @Override
    public CompletionStage<Void> close(LogGroupId group) {
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> retire(LogGroupId group) {
        retired.add(group);
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public Set<LogGroupId> onDisk() {
        return Set.of();
    }

    @Override
    public CompletionStage<byte[]> append(LogGroupId group, ByteBuffer entry) {
        return unasked();
    }

    @Override
    public CompletionStage<byte[]> appendFreeing(LogGroupId group, ByteBuffer entry) {
        return unasked();
    }

    @Override
    public CompletionStage<Void> linearize(LogGroupId group) {
        return unasked();
    }

    @Override
    public Optional<LogStatus> status(LogGroupId group) {
        return Optional.empty();
    }

    @Override
    public CompletionStage<Void> setMembers(LogGroupId group, LogMembers members) {
        return unasked();
    }

    @Override
    public CompletionStage<Void> transferLeadership(LogGroupId group, String nodeId) {
        return unasked();
    }

    @Override
    public CompletionStage<LogPosition> snapshot(LogGroupId group) {
        return unasked();
    }

    private static <T> CompletionStage<T> unasked() {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("no test asks this"));
    }

    @Override
    public void close() {}
}
