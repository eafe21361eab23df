package dev.weir.partition.catalog;

import dev.weir.wal.LogPosition;
import dev.weir.wal.ReplicatedState;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The catalog as a replicated state: folds the log into images and publishes each.
 *
 * <p>The log's apply thread owns it; {@link #image}, {@link #leadership()}, {@link #onChange} and {@link #newestSnapshot} may be called
 * from any thread. While a reopened log is replayed the published image stays as new as it was: it never goes back.
 */
public final class CatalogState implements ReplicatedState {
    private final CatalogSnapshotSource source;
    private final List<Consumer<CatalogImage>> listeners = new CopyOnWriteArrayList<>();
    private final List<Runnable> leadershipListeners = new CopyOnWriteArrayList<>();

    private FoldedImage folded = FoldedImage.empty();
    private ReplyMemory memory = new ReplyMemory();
    private volatile FoldedImage published = FoldedImage.empty();
    private volatile Leadership leadership = new Leadership(false, null, 0);
    private volatile @Nullable CatalogSnapshotFiles files;

    /** Who leads the catalog, as far as this replica knows. */
    public record Leadership(boolean leads, @Nullable String leader, long term) {}

    public CatalogState(CatalogSnapshotSource source) {
        this.source = source;
    }

    public CatalogImage image() {
        return published;
    }

    public Leadership leadership() {
        return leadership;
    }

    /** Calls back with each new image, from the apply thread: the callback only signals. */
    public AutoCloseable onChange(Consumer<CatalogImage> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** Calls back when leadership changes, from a thread of the log: the callback only signals. */
    public AutoCloseable onLeadership(Runnable listener) {
        leadershipListeners.add(listener);
        return () -> leadershipListeners.remove(listener);
    }

    /** The newest durable snapshot, for a replica that the log no longer reaches. Reads a file: call it where blocking is allowed. */
    public Optional<byte[]> newestSnapshot() {
        CatalogSnapshotFiles current = files;
        return current == null ? Optional.empty() : current.newest().map(CatalogSnapshotFiles::read);
    }

    @Override
    public LogPosition restore(Path directory) {
        CatalogSnapshotFiles opened = new CatalogSnapshotFiles(directory);
        files = opened;
        Optional<Path> newest = opened.newest();
        if (newest.isEmpty()) {
            folded = FoldedImage.empty();
            memory = new ReplyMemory();
            return LogPosition.NONE;
        }
        CatalogSnapshot snapshot =
                CatalogSnapshot.decode(newest.get().toString(), CatalogSnapshotFiles.read(newest.get()));
        folded = snapshot.image();
        memory = snapshot.memory();
        publish();
        return snapshot.position();
    }

    @Override
    public byte[] apply(LogPosition position, long leaderClockNanos, ByteBuffer entry) {
        byte[] bytes = new byte[entry.remaining()];
        entry.duplicate().get(bytes);
        CatalogReply reply = fold(position.index(), CatalogEntryCodec.decode(bytes));
        publish();
        return CatalogAnswerCodec.encode(new CatalogAnswerCodec.Answer.Replied(reply));
    }

    @Override
    public LogPosition snapshot(LogPosition position) {
        CatalogSnapshot snapshot = new CatalogSnapshot(position, folded, memory);
        Objects.requireNonNull(files, "snapshot before restore").write(position, snapshot.encode());
        return position;
    }

    @Override
    public CompletionStage<LogPosition> install(String leaderNodeId) {
        CatalogSnapshotFiles target = Objects.requireNonNull(files, "install before restore");
        return source.fetch(leaderNodeId).thenApply(bytes -> {
            LogPosition position = CatalogSnapshot.decode("snapshot from node " + leaderNodeId, bytes)
                    .position();
            target.write(position, bytes);
            return position;
        });
    }

    @Override
    public void leadership(boolean leads, @Nullable String leader, long term) {
        leadership = new Leadership(leads, leader, term);
        leadershipListeners.forEach(Runnable::run);
    }

    /** So that nodes can start, and serve reads, on full disks. */
    @Override
    public boolean usesReserve() {
        return true;
    }

    @Override
    public void close() {
        leadership(false, null, leadership.term());
    }

    private CatalogReply fold(long index, CatalogEntry entry) {
        Optional<CatalogReply> before = memory.find(entry.id());
        if (before.isPresent()) {
            folded = folded.with(index, List.of());
            return before.get();
        }
        CatalogFold.Step step = CatalogFold.step(folded, index, entry.limits(), entry.command());
        folded = step.image();
        memory.remember(entry, step.reply());
        return step.reply();
    }

    private void publish() {
        if (folded.version() <= published.version()) {
            return;
        }
        published = folded;
        for (Consumer<CatalogImage> listener : listeners) {
            listener.accept(folded);
        }
    }
}
