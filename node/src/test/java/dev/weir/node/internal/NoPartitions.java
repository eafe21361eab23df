package dev.weir.node.internal;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A node without replicas. */
record NoPartitions() implements LocalPartitions {
    @Override
    public Optional<LocalPartition> find(int partition) {
        return Optional.empty();
    }

    @Override
    public CompletionStage<Void> join(int partition, int generation) {
        return CompletableFuture.failedFuture(new UnsupportedOperationException("join"));
    }

    @Override
    public AutoCloseable onChange(Runnable listener) {
        return () -> {};
    }
}
