package dev.weir.query.sql.image;

import java.util.List;

/**
 * Images of one cut. Nothing in it changes and no file of it goes away before {@link #close}, whatever is flushed, merged or deleted meanwhile.
 *
 * <p>Threading: used by one thread at a time; closed once, by any thread, after the last reader of its buffers was closed.
 */
public interface ImageSet extends AutoCloseable {
    /** One per need, in the order of the needs. */
    List<TableImage> images();

    /** What all of it reflects. */
    ReadCut cut();

    @Override
    void close();
}
