package dev.weir.cdc;

import dev.weir.partition.feed.ChangeBatch;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Batches of the columns of a {@link CdcLayout}, which take any event. */
final class PlainMaker implements BatchMaker {
    private final CdcBatchConverter converter;
    private final IpcSchema schema;
    private final boolean zstd;
    private final BufferAllocator allocator;

    PlainMaker(CdcLayout layout, boolean zstd, int rowsExpected, BufferAllocator allocator) {
        this.converter = new CdcBatchConverter(allocator, layout, rowsExpected);
        this.schema = StreamLayout.plainSchema(layout);
        this.zstd = zstd;
        this.allocator = allocator;
    }

    @Override
    public boolean takes(ChangeBatch changes) {
        return true;
    }

    @Override
    public void begin(ChangeBatch changes) {
        // Each row says all of itself.
    }

    @Override
    public void add(BatchRows rows, int row) {
        converter.add(rows);
    }

    @Override
    public int rowCount() {
        return converter.rowCount();
    }

    @Override
    public long byteCount() {
        return converter.byteCount();
    }

    @Override
    public IpcSchema schema() {
        return schema;
    }

    @Override
    public Made make() {
        IpcBody body = IpcBody.of(converter.batch().getFieldVectors(), converter.rowCount(), zstd, allocator);
        converter.clear();
        return new Made(List.of(), body);
    }

    @Override
    public void close() {
        converter.close();
    }
}
