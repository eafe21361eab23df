package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The change segments of one replica: a dense run of records from {@link #oldestSeq()} to {@link #nextSeq()}.
 *
 * <p>Where a segment ends is a function of the records alone (size), so the segments of all replicas are equal byte by byte.
 *
 * <p>Threading: one writer (the log's apply thread) calls {@link #append}, {@link #sync}, {@link #trim}; any thread may read at the same time
 * and sees every record whose append has returned. Durability: records are durable after {@link #sync}; after a crash the writer reopens
 * with the manifest of the last sync, and what lies beyond it is cut off and rebuilt by replay.
 */
public interface SegmentLog extends AutoCloseable {
    /** Seq of the oldest event kept; equals {@link #nextSeq()} when empty. */
    long oldestSeq();

    /** Seq that the next appended record must begin with. */
    long nextSeq();

    /** Bytes of all segments kept. */
    long bytes();

    /**
     * Appends a record; its {@code firstSeq} is {@link #nextSeq()}.
     *
     * @throws IOException the file could not be written; the writer must stop
     */
    void append(int count, long committedAtNanos, ByteBuffer payload) throws IOException;

    /**
     * Makes all records durable and returns the manifest that names them. Calling it again says that the manifest returned before is
     * durable: files which that one no longer names are then removed.
     *
     * @throws IOException what is durable is unknown; the writer must stop, and open again with the last durable manifest
     */
    SegmentManifest sync() throws IOException;

    /**
     * Drops whole segments all of whose events are before {@code seq}, the active one too. Readers lose them at once; the disk gets its
     * space back at the second {@link #sync} from here, since a crash before would bring them back.
     *
     * @return the oldest seq kept afterwards
     */
    long trim(long seq) throws IOException;

    /**
     * Reads records from the one that contains {@code fromSeq} on, as many as fit into {@code maxBytes}, headers included, and at least
     * one; payloads share a buffer. Blocks on the disk. Empty when {@code fromSeq} is {@link #nextSeq()} or later.
     *
     * @throws SeqTrimmedException {@code fromSeq} is before {@link #oldestSeq()}
     * @throws IOException a record is damaged (file, offset and both checksums named) or can't be read
     */
    List<SegmentRecord> read(long fromSeq, int maxBytes) throws IOException;

    /** The seq of the first event with a commit time at or after {@code committedAtNanos}; {@link #nextSeq()} where there is none. */
    long seekTime(long committedAtNanos) throws IOException;

    /** The segments now kept, oldest first, for transfer to another replica and for the retention's accounts. */
    List<SegmentFile> segments();

    /**
     * Copies bytes of a segment as they stand in its file, for transfer. Any thread; blocks on the disk.
     *
     * @param file as {@link #segments()} or a manifest named it; what the file holds beyond its {@code bytes} is not copied
     * @return how many bytes were put into {@code target}, 0 at the end
     * @throws SeqTrimmedException the segment was trimmed meanwhile
     */
    int copy(SegmentFile file, long offset, ByteBuffer target) throws IOException;

    @Override
    void close();
}
