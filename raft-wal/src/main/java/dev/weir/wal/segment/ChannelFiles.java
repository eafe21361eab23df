package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** {@link SegmentFiles} on the file system of this machine. */
public final class ChannelFiles implements SegmentFiles {
    @Override
    public void createDirectories(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.toAbsolutePath().getParent();
        if (parent != null) {
            createDirectories(parent);
        }
        Files.createDirectories(directory);
        if (parent != null) {
            syncDirectory(parent);
        }
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.map(entry -> String.valueOf(entry.getFileName()))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public OpenFile create(Path file) throws IOException {
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)
                .close();
        return open(file);
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        return new ChannelFile(file);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Override
    public void delete(Path file) throws IOException {
        Files.delete(file);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
