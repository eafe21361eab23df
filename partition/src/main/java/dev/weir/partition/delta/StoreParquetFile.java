package dev.weir.partition.delta;

import dev.weir.partition.store.ObjectStore;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/** A data file in the object store, as Parquet reads one. */
record StoreParquetFile(ObjectStore store, String key, long bytes) implements InputFile {
    @Override
    public long getLength() {
        return bytes;
    }

    @Override
    public SeekableInputStream newStream() {
        StoreInput in = new StoreInput(store, key, bytes);
        return new DelegatingSeekableInputStream(in) {
            @Override
            public long getPos() {
                return in.getPos();
            }

            @Override
            public void seek(long to) {
                in.seek(to);
            }
        };
    }
}
