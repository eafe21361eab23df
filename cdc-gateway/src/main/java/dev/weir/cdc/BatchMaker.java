package dev.weir.cdc;

import dev.weir.partition.feed.ChangeBatch;
import java.util.List;

/** Gathers rows into one record batch after the other. One thread. */
interface BatchMaker extends AutoCloseable {
    /** Whether rows of these changes fit its columns. */
    boolean takes(ChangeBatch changes);

    /** Rows of these changes come next. */
    void begin(ChangeBatch changes);

    /** @param rows moved to the row */
    void add(BatchRows rows, int row);

    int rowCount();

    /** About what the rows take, uncompressed. */
    long byteCount();

    IpcSchema schema();

    /** What was gathered; it begins anew after it. */
    Made make();

    @Override
    void close();

    /** @param dictionaries messages that go before the batch */
    record Made(List<byte[]> dictionaries, IpcBody body) {}
}
