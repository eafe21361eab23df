package dev.weir.partition.engine;

import dev.weir.wal.segment.ChannelFiles;
import dev.weir.wal.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** Files that are never synced, for simulations that crash by themselves. */
final class QuickFiles implements SegmentFiles {
    private final ChannelFiles files = new ChannelFiles();

    @Override
    public void createDirectories(Path directory) throws IOException {
        java.nio.file.Files.createDirectories(directory);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        return files.list(directory);
    }

    @Override
    public OpenFile create(Path file) throws IOException {
        return new Unsynced(files.create(file));
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        return new Unsynced(files.open(file));
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        files.move(from, to);
    }

    @Override
    public void delete(Path file) throws IOException {
        files.delete(file);
    }

    @Override
    public void syncDirectory(Path directory) {}

    private record Unsynced(OpenFile file) implements OpenFile {
        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            file.write(source, position);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void force() {}

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
