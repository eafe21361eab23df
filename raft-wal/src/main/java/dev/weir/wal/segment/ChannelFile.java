package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumSet;
import java.util.Set;

/**
 * A file that outlives interrupts. The JDK closes a {@link FileChannel} under all its users when one thread is interrupted inside a
 * call; here the file is opened again, the call repeated (each names its position, so repeating changes nothing), and the
 * interrupt handed back to the thread. Otherwise one cancelled reader could stop the log's writer.
 */
final class ChannelFile implements SegmentFiles.OpenFile {
    /** The JDK keeps a direct buffer per thread as large as the largest transfer from or to the heap. */
    private static final int TRANSFER_BYTES_MAX = 128 << 10;

    private final Path path;
    private final Set<StandardOpenOption> options;
    private final Object reopening = new Object(); // Only threads that found the channel closed meet here.
    private volatile FileChannel channel;
    private volatile boolean closed;

    ChannelFile(Path path) throws IOException {
        this(path, EnumSet.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    private ChannelFile(Path path, Set<StandardOpenOption> options) throws IOException {
        this.path = path;
        this.options = options;
        this.channel = FileChannel.open(path, options);
    }

    /** A file of which this process may have no right to change a byte. */
    static ChannelFile readOnly(Path path) throws IOException {
        return new ChannelFile(path, EnumSet.of(StandardOpenOption.READ));
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int start = target.position();
        int end = target.limit();
        try {
            while (target.position() < end) {
                target.limit(Math.min(end, target.position() + TRANSFER_BYTES_MAX));
                long at = position + target.position() - start;
                if (call(file -> (long) file.read(target, at)) < 0) {
                    break;
                }
            }
        } finally {
            target.limit(end);
        }
        return target.position() - start;
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
        int start = source.position();
        int end = source.limit();
        try {
            while (source.position() < end) {
                source.limit(Math.min(end, source.position() + TRANSFER_BYTES_MAX));
                long at = position + source.position() - start;
                call(file -> (long) file.write(source, at));
            }
        } finally {
            source.limit(end);
        }
    }

    @Override
    public long size() throws IOException {
        return call(FileChannel::size);
    }

    @Override
    public void truncate(long size) throws IOException {
        call(file -> file.truncate(size).size());
    }

    @Override
    public void force() throws IOException {
        call(file -> {
            file.force(true);
            return 0;
        });
    }

    @Override
    public void close() throws IOException {
        synchronized (reopening) {
            closed = true;
            channel.close();
        }
    }

    private long call(Call call) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                FileChannel used = channel;
                try {
                    return call.on(used);
                } catch (ClosedByInterruptException e) {
                    interrupted = true;
                    Thread.interrupted();
                    reopen(used);
                } catch (ClosedChannelException e) {
                    reopen(used);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void reopen(FileChannel dead) throws IOException {
        synchronized (reopening) {
            if (closed) {
                throw new IOException("file " + path + ": used after it was closed");
            }
            if (channel.equals(dead)) {
                channel = FileChannel.open(path, options);
            }
        }
    }

    /** One call of a channel. */
    private interface Call {
        long on(FileChannel file) throws IOException;
    }
}
