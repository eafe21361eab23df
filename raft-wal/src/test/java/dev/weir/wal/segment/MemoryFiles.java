package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A file system in memory that knows what is durable, fails when told to, and loses what was not synced when it crashes: bytes
 * block by block, names one by one, each kept or lost by the seed. Used by one thread.
 */
final class MemoryFiles implements SegmentFiles {
    private static final int BLOCK_BYTES = 16;

    private Map<Path, Inode> names = new TreeMap<>();
    private Map<Path, Inode> durableNames = new TreeMap<>();
    private int calls;
    private int failAt = Integer.MAX_VALUE;
    private boolean dead;
    private boolean deadly;
    private int open;

    /** Calls made so far. */
    int calls() {
        return calls;
    }

    /** Files that are open. */
    int open() {
        return open;
    }

    /** The {@code n}-th call from now on fails; a write fails half way. Every call after it fails too where {@code deadly}. */
    void failAt(int n, boolean deadly) {
        this.failAt = calls + n;
        this.deadly = deadly;
    }

    /** The machine stops and starts again. */
    void crash(Seeded random) {
        Map<Path, Inode> survived = new TreeMap<>();
        Map<Path, Inode> all = new HashMap<>(durableNames);
        all.putAll(names);
        for (Path path : all.keySet().stream().sorted().toList()) {
            Inode kept = random.oneIn(2) ? durableNames.get(path) : names.get(path);
            if (kept != null) {
                survived.put(path, kept);
            }
        }
        survived.values().stream().distinct().forEach(inode -> inode.crash(random));
        names = survived;
        durableNames = new TreeMap<>(survived);
        failAt = Integer.MAX_VALUE;
        dead = false;
        open = 0;
    }

    /** The process stops and starts again; the machine stays. */
    void restartProcess() {
        failAt = Integer.MAX_VALUE;
        dead = false;
        open = 0;
    }

    byte[] content(Path file) {
        Inode inode = names.get(file);
        if (inode == null) {
            throw new IllegalArgumentException("no file " + file);
        }
        return Arrays.copyOf(inode.bytes, inode.length);
    }

    void put(Path file, byte[] content) {
        Inode inode = new Inode();
        inode.bytes = content.clone();
        inode.length = content.length;
        inode.force();
        names.put(file, inode);
        durableNames.put(file, inode);
    }

    @Override
    public void createDirectories(Path directory) throws IOException {
        call();
    }

    @Override
    public List<String> list(Path directory) throws IOException {
        call();
        return names.keySet().stream()
                .filter(path -> directory.equals(path.getParent()))
                .map(path -> path.getFileName().toString())
                .toList();
    }

    @Override
    public OpenFile create(Path file) throws IOException {
        call();
        if (names.containsKey(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        Inode inode = new Inode();
        names.put(file, inode);
        open++;
        return new Handle(inode);
    }

    @Override
    public OpenFile open(Path file) throws IOException {
        call();
        Inode inode = names.get(file);
        if (inode == null) {
            throw new NoSuchFileException(file.toString());
        }
        open++;
        return new Handle(inode);
    }

    @Override
    public void move(Path from, Path to) throws IOException {
        call();
        Inode inode = names.remove(from);
        if (inode == null) {
            throw new NoSuchFileException(from.toString());
        }
        names.put(to, inode);
    }

    @Override
    public void delete(Path file) throws IOException {
        call();
        if (names.remove(file) == null) {
            throw new NoSuchFileException(file.toString());
        }
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        call();
        durableNames.keySet().removeIf(path -> directory.equals(path.getParent()));
        names.forEach((path, inode) -> {
            if (directory.equals(path.getParent())) {
                durableNames.put(path, inode);
            }
        });
    }

    private void call() throws IOException {
        calls++;
        if (dead || calls == failAt) {
            dead = deadly;
            throw new IOException("file call " + calls + " fails");
        }
    }

    /** A file's bytes, now and as far as they are durable. */
    private static final class Inode {
        private byte[] bytes = new byte[64];
        private int length;
        private byte[] durable = new byte[0];

        void write(ByteBuffer source, int position, int count) {
            int end = position + count;
            if (end > bytes.length) {
                bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
            }
            source.get(bytes, position, count);
            length = Math.max(length, end);
        }

        void force() {
            durable = Arrays.copyOf(bytes, length);
        }

        void crash(Seeded random) {
            int low = Math.min(durable.length, length);
            int high = Math.max(durable.length, length);
            int survivedLength = low + random.below(high - low + 1);
            byte[] survived = new byte[survivedLength];
            for (int at = 0; at < survivedLength; at += BLOCK_BYTES) {
                boolean old = random.oneIn(2);
                byte[] from = old ? durable : bytes;
                int fromLength = old ? durable.length : length;
                int count = Math.min(BLOCK_BYTES, Math.min(survivedLength, fromLength) - at);
                if (count > 0) {
                    System.arraycopy(from, at, survived, at, count);
                }
            }
            bytes = survived;
            length = survivedLength;
            force();
        }
    }

    private final class Handle implements OpenFile {
        private final Inode inode;
        private boolean closed;

        Handle(Inode inode) {
            this.inode = inode;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            use();
            int count = (int) Math.min(target.remaining(), Math.max(0, inode.length - position));
            target.put(inode.bytes, (int) position, count);
            return count;
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            try {
                use();
            } catch (IOException e) {
                if (!dead || calls == failAt) {
                    inode.write(source, (int) position, source.remaining() / 2);
                }
                throw e;
            }
            inode.write(source, (int) position, source.remaining());
        }

        @Override
        public long size() throws IOException {
            use();
            return inode.length;
        }

        @Override
        public void truncate(long size) throws IOException {
            use();
            Arrays.fill(inode.bytes, (int) size, inode.bytes.length, (byte) 0);
            inode.length = (int) Math.min(inode.length, size);
        }

        @Override
        public void force() throws IOException {
            use();
            inode.force();
        }

        @Override
        public void close() {
            if (!closed) {
                closed = true;
                open--;
            }
        }

        private void use() throws IOException {
            call();
            if (closed) {
                throw new IOException("used after it was closed");
            }
        }
    }
}
