package dev.weir.partition.store;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Immutable objects under keys, in a folder or a bucket.
 *
 * <p>Keys are relative paths of UTF-8 text: segments between {@code /}, none of them empty, {@code .} or {@code ..}; at most
 * {@link #KEY_BYTES_MAX} bytes. An object is there whole or not at all, and never changes.
 *
 * <p>Threading: any thread; calls block, so they belong on virtual threads or a small pool. An interrupt ends a call soon with
 * {@link InterruptedException}; whether a put or delete took effect is then unknown, and asking again is safe. Transient failures of
 * {@code s3:} are retried in here, within the budget of {@link RetryConfig}, and nowhere else.
 *
 * <p>Durability: what {@link #put} returned for survives a crash of this machine ({@code file:}: fsync of file and folders).
 */
public interface ObjectStore extends AutoCloseable {
    int KEY_BYTES_MAX = 900;

    /** Opens the store that the configuration names; reaches out to nothing yet, see {@link #probe}. */
    static ObjectStore open(StoreConfig config) throws StoreException {
        return Stores.open(config);
    }

    /** What {@link #put} found. */
    enum Put {
        STORED,
        /** There already with the same bytes: perhaps by an earlier try of ours whose answer was lost. */
        PRESENT
    }

    /**
     * Stores a file under a key unless the key is taken.
     *
     * <p>The file must not be written to again: a {@code file:} store on the same file system links it instead of copying. The caller
     * removes it afterwards.
     *
     * @throws StoreException {@link StoreException.Kind#CONFLICT} the key holds other bytes
     */
    Put put(String key, LocalFile file) throws StoreException, InterruptedException;

    /**
     * Reads from {@code offset} on into {@code target}, until it is full or the object ends.
     *
     * @return bytes read, fewer than asked for only at the object's end
     * @throws StoreException {@link StoreException.Kind#NOT_FOUND} no such object
     */
    int read(String key, long offset, ByteBuffer target) throws StoreException, InterruptedException;

    /**
     * Copies an object into a new local file, without fsync; a failure leaves no file.
     *
     * @param target must not exist
     * @return bytes of the object
     * @throws StoreException {@link StoreException.Kind#NOT_FOUND} no such object
     */
    long download(String key, Path target) throws StoreException, InterruptedException;

    /** Size and time of an object, empty where there is none. */
    Optional<ObjectEntry> stat(String key) throws StoreException, InterruptedException;

    /**
     * A page of the objects whose keys begin with {@code prefix}, ascending by the UTF-8 bytes of their keys. Walk all of them by passing the
     * last key of a page as the next one's {@code after}; an empty page is the end.
     *
     * @param prefix any beginning of keys, also in the middle of a segment; empty for all
     * @param after only keys behind this one; empty for the first page
     * @param max entries at most, 1 to 1000
     */
    List<ObjectEntry> list(String prefix, String after, int max) throws StoreException, InterruptedException;

    /** Removes an object; nothing where there is none. */
    void delete(String key) throws StoreException, InterruptedException;

    /**
     * Removes what puts that never ended left behind since before a time (temporary files, parts of uploads). Puts that still run are of
     * younger date, if {@code before} lies further back than the retry budget.
     *
     * @return how many
     */
    int sweepUnfinished(Instant before) throws StoreException, InterruptedException;

    /**
     * Makes sure that objects can be written, read, listed and deleted, and that the store refuses a second put of a key, by a small object
     * under {@code .weir-probe/} that is removed again.
     *
     * @throws StoreException saying which of these failed
     */
    void probe() throws StoreException, InterruptedException;

    /** The object as a local file of the store itself, where the store has it so ({@code file:}); read only. */
    Optional<Path> localPath(String key) throws StoreException;

    /** Where this is, for people; holds no secret. */
    String url();

    StoreMetrics metrics();

    /** Ends what runs; later calls fail. */
    @Override
    void close();
}
