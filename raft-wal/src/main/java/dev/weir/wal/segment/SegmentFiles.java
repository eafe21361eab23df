package dev.weir.wal.segment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The few calls by which segments touch a file system; {@link ChannelFiles} makes them on a real one.
 *
 * <p>Threading: any thread. Durability: a file's bytes after {@link OpenFile#force}, its name after {@link #syncDirectory}.
 */
public interface SegmentFiles {
    /** Makes a directory and its parents, durably; nothing where it exists. */
    void createDirectories(Path directory) throws IOException;

    /** The names in a directory, sorted. */
    List<String> list(Path directory) throws IOException;

    /** Makes a file, which must not exist, and opens it. */
    OpenFile create(Path file) throws IOException;

    /**
     * Opens a file for reading and writing.
     *
     * @throws java.nio.file.NoSuchFileException there is none
     */
    OpenFile open(Path file) throws IOException;

    /** Renames a file within its directory, replacing what has the name already. */
    void move(Path from, Path to) throws IOException;

    /** Removes a file; readers that have it open go on. */
    void delete(Path file) throws IOException;

    /** Makes the names in a directory durable. */
    void syncDirectory(Path directory) throws IOException;

    /** A file opened for reading and writing at given positions. Used by many threads at once; none waits for another. */
    interface OpenFile extends Closeable {
        /** Fills what remains of {@code target} from {@code position} on; fewer bytes only at the file's end. Returns how many. */
        int read(ByteBuffer target, long position) throws IOException;

        /** Writes all that remains of {@code source} at {@code position}. */
        void write(ByteBuffer source, long position) throws IOException;

        long size() throws IOException;

        void truncate(long size) throws IOException;

        /** Makes the file's bytes and length durable. */
        void force() throws IOException;

        @Override
        void close() throws IOException;
    }
}
