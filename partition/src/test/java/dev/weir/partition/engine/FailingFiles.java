package dev.weir.partition.engine;

import dev.weir.wal.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** Files whose n-th changing call fails, half done where that can be, and every call after it: the process is dead. */
final class FailingFiles implements SegmentFiles {
    private final QuickFiles files = new QuickFiles();
    private int left;
    private boolean dead;

    /** @param calls that succeed */
    FailingFiles(int calls) {
        this.left = calls;
    }

    /** The limit was reached. */
    boolean failed() {
        return dead;
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        change();
        files.createDirectories(directory);
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        alive();
        return files.list(directory);
    }

    @Override
    public OpenFile create(Path file) throws IOException {
        change();
        return new Failing(files.create(file));
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        alive();
        return new Failing(files.open(file));
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        change();
        files.move(from, to);
    }

    @Override
    public void delete(Path file) throws IOException {
        change();
        files.delete(file);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        change();
    }

    private void alive() throws IOException {
        if (dead) {
            throw new IOException("the process is dead");
        }
    }

    private void change() throws IOException {
        alive();
        if (left-- == 0) {
            dead = true;
            throw new IOException("the process dies here");
        }
    }

    private final class Failing implements OpenFile {
        private final OpenFile file;

        Failing(OpenFile file) {
            this.file = file;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            alive();
            return file.read(target, position);
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            try {
                change();
            } catch (IOException e) {
                file.write(source.slice(source.position(), source.remaining() / 2), position);
                throw e;
            }
            file.write(source, position);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            change();
            file.truncate(size);
        }

        @Override
        public void force() throws IOException {
            change();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
