package dev.weir.query.sql.image;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;

/** Gives the same batches as often as it is asked: a statement that names a table twice reads it twice. */
@FunctionalInterface
public interface ArrowBatches {
    /**
     * A reader at the first batch, whose vectors are from the allocator (a root's child may be given to {@code transfer} from). The reader is closed
     * by who asked, maybe before its end, on another thread; {@code loadNextBatch} is called by one thread at a time and must not block on other
     * nodes.
     */
    ArrowReader open(BufferAllocator allocator);
}
