package dev.weir.partition.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A disk that loses power: call number {@code failAt} and all after it fail, and {@link #lose} then takes back names whose folder was not
 * synced and cuts files whose bytes were not.
 */
final class LossyFiles implements StoreFiles {
    private final DiskFiles disk = new DiskFiles();
    private final int failAt;
    private final Set<Path> newNames = new LinkedHashSet<>();
    private final Set<Path> dirtyFiles = new HashSet<>();
    private int calls;

    LossyFiles(int failAt) {
        this.failAt = failAt;
    }

    boolean hasFailed() {
        return calls > failAt;
    }

    /** @param unsynced a file whose bytes its owner never synced */
    void dirty(Path unsynced) {
        dirtyFiles.add(unsynced);
    }

    void lose() throws IOException {
        for (Path file : dirtyFiles) {
            if (Files.exists(file)) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.truncate(channel.size() / 2);
                }
            }
        }
        Deque<Path> names = new ArrayDeque<>();
        newNames.forEach(names::push);
        for (Path name : names) {
            if (Files.isDirectory(name)) {
                removeAll(name);
            } else {
                Files.deleteIfExists(name);
            }
        }
    }

    @Override
    public void createDirectory(Path folder) throws IOException {
        step();
        disk.createDirectory(folder);
        newNames.add(folder);
    }

    @Override
    public void copy(Path from, Path to) throws IOException {
        step();
        disk.copy(from, to);
        dirtyFiles.add(to);
        newNames.add(to);
    }

    @Override
    public void sync(Path file) throws IOException {
        step();
        dirtyFiles.remove(file);
    }

    @Override
    public void link(Path file, Path name) throws IOException {
        step();
        disk.link(file, name);
        newNames.add(name);
    }

    @Override
    public void delete(Path file) throws IOException {
        step();
        disk.delete(file);
        newNames.remove(file);
    }

    @Override
    public void syncDirectory(Path folder) throws IOException {
        step();
        newNames.removeIf(name -> folder.equals(name.getParent()));
    }

    private void step() throws IOException {
        if (calls++ >= failAt) {
            throw new IOException("no power");
        }
    }

    private static void removeAll(Path folder) throws IOException {
        try (var children = Files.newDirectoryStream(folder)) {
            for (Path child : children) {
                if (Files.isDirectory(child)) {
                    removeAll(child);
                } else {
                    Files.delete(child);
                }
            }
        }
        Files.delete(folder);
    }
}
