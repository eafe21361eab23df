package dev.weir.node.cluster;

import dev.weir.wal.LogGroupId;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who this node is, for good: kept in its data folder, which it holds locked against a second process. Changes are on disk (fsync) when a
 * method returns. Written by the boot's thread; read from any.
 */
public final class Identity implements AutoCloseable {
    private static final String LOCK = "node.lock";
    private static final String ASIDE = "set-aside";

    private final Path directory;
    private final IdentityFile file;
    private final FileChannel lockChannel;
    private volatile IdentityRecord record;

    private Identity(Path directory, IdentityFile file, FileChannel lockChannel, IdentityRecord record) {
        this.directory = directory;
        this.file = file;
        this.lockChannel = lockChannel;
        this.record = record;
    }

    /**
     * Opens a data folder, made where missing.
     *
     * @param configuredId {@code node.id}, if given
     * @param newId makes an id for a new folder where none is given
     * @throws ClosedException the folder is another node's, or another process has it open
     */
    public static Identity open(Path directory, Optional<String> configuredId, Supplier<String> newId) {
        FileChannel lock = null;
        try {
            Files.createDirectories(directory);
            lock = lock(directory);
            IdentityFile file = new IdentityFile(directory);
            Optional<IdentityRecord> kept = file.read();
            if (kept.isPresent()) {
                checkOwner(directory, kept.get().nodeId(), configuredId);
                return new Identity(directory, file, lock, kept.get());
            }
            IdentityRecord made =
                    new IdentityRecord(configuredId.orElseGet(newId), Optional.empty(), Optional.empty(), false);
            file.write(made);
            return new Identity(directory, file, lock, made);
        } catch (IOException e) {
            closeQuietly(lock);
            throw new UncheckedIOException("data folder " + directory, e);
        } catch (ClosedException e) {
            closeQuietly(lock);
            throw e;
        }
    }

    public String nodeId() {
        return record.nodeId();
    }

    /** Known once the cluster's birth was seen, or the cluster to join was found. */
    public Optional<String> clusterId() {
        return record.clusterId();
    }

    public Optional<LogGroupId> catalogGroup() {
        return record.catalogGroup().map(LogGroupId::new);
    }

    IdentityRecord.State state() {
        return record.state();
    }

    /** An initial member is about to open the catalog's group. */
    void beginBirth(LogGroupId group) {
        save(new IdentityRecord(nodeId(), Optional.of(group.value()), Optional.empty(), false));
    }

    /** The cluster is known. */
    void enter(String clusterId, LogGroupId group) {
        save(new IdentityRecord(nodeId(), Optional.of(group.value()), Optional.of(clusterId), record.joined()));
    }

    /** The catalog has this node. */
    void joined() {
        if (!record.joined()) {
            save(new IdentityRecord(nodeId(), record.catalogGroup(), record.clusterId(), true));
        }
    }

    /** Moves everything in the folder to {@code set-aside/}, where people may look at it; nothing is deleted. Every log must be closed. */
    Path setAside(String name) {
        Path aside = directory.resolve(ASIDE).resolve(name);
        try (Stream<Path> files = Files.list(directory)) {
            Files.createDirectories(aside);
            List<String> kept = List.of(LOCK, ASIDE);
            for (Path one : files.toList()) {
                if (!kept.contains(one.getFileName().toString())) {
                    Files.move(one, aside.resolve(one.getFileName()));
                }
            }
            return aside;
        } catch (IOException e) {
            throw new UncheckedIOException("setting aside " + directory, e);
        }
    }

    /** Lets another process have the folder. */
    @Override
    public void close() {
        closeQuietly(lockChannel);
    }

    private void save(IdentityRecord changed) {
        try {
            file.write(changed);
            record = changed;
        } catch (IOException e) {
            throw new UncheckedIOException("data folder " + directory, e);
        }
    }

    private static FileChannel lock(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!locked(channel)) {
            closeQuietly(channel);
            throw new ClosedException("data folder " + directory + ": another process has it open");
        }
        return channel;
    }

    private static boolean locked(FileChannel channel) throws IOException {
        try {
            FileLock lock = channel.tryLock();
            return lock != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static void checkOwner(Path directory, String owner, Optional<String> configuredId) {
        if (configuredId.isPresent() && !configuredId.get().equals(owner)) {
            throw new ClosedException("data folder " + directory + " belongs to node " + owner + ", node.id says "
                    + configuredId.get() + ": give each node a data.dir of its own");
        }
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                throw new UncheckedIOException("closing the lock of the data folder", e);
            }
        }
    }
}
