package dev.weir.partition.catalog;

import dev.weir.wal.LogPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The snapshot files of one folder. A file appears whole or not at all: written beside, fsynced, renamed, and the folder fsynced. The newest
 * two are kept, so that one that is being read elsewhere stays.
 */
final class CatalogSnapshotFiles {
    private static final Pattern NAME = Pattern.compile("catalog-(\\d{20})-(\\d{20})\\.snapshot");
    private static final String PARTIAL = ".partial";
    private static final int KEPT = 2;

    private final Path directory;

    /** Makes the folder where it is missing and removes what an interrupted write left behind. */
    CatalogSnapshotFiles(Path directory) {
        this.directory = directory;
        try {
            Files.createDirectories(directory);
            for (Path file : list()) {
                if (file.toString().endsWith(PARTIAL)) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("catalog folder " + directory, e);
        }
    }

    Optional<Path> newest() {
        try {
            return snapshots().stream().findFirst();
        } catch (IOException e) {
            throw new UncheckedIOException("catalog folder " + directory, e);
        }
    }

    static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new UncheckedIOException("catalog snapshot " + file, e);
        }
    }

    void write(LogPosition position, byte[] bytes) {
        String name = String.format(Locale.ROOT, "catalog-%020d-%020d.snapshot", position.index(), position.term());
        Path partial = directory.resolve(name + PARTIAL);
        try {
            try (FileChannel channel = FileChannel.open(
                    partial,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer rest = ByteBuffer.wrap(bytes);
                while (rest.hasRemaining()) {
                    channel.write(rest);
                }
                channel.force(true);
            }
            Files.move(
                    partial,
                    directory.resolve(name),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
            fsyncDirectory();
            List<Path> all = snapshots();
            for (Path old : all.subList(Math.min(KEPT, all.size()), all.size())) {
                Files.delete(old);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("catalog snapshot " + name, e);
        }
    }

    private void fsyncDirectory() throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** Newest first. */
    private List<Path> snapshots() throws IOException {
        List<Path> found = new ArrayList<>();
        for (Path file : list()) {
            Matcher name = NAME.matcher(file.getFileName().toString());
            if (name.matches()) {
                found.add(file);
            }
        }
        found.sort(Collections.reverseOrder());
        return found;
    }

    private List<Path> list() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
