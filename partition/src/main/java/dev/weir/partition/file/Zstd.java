package dev.weir.partition.file;

import com.github.luben.zstd.ZstdCompressCtx;

/** Compresses pages; the result is valid until the next call. Used by one thread; close frees native memory. */
final class Zstd implements AutoCloseable {
    private final ZstdCompressCtx context = new ZstdCompressCtx();
    private byte[] compressed = new byte[1 << 12];

    Zstd(int level) {
        context.setLevel(level);
        context.setChecksum(false);
    }

    /** Compresses and returns how many bytes of {@link #array} are the result. */
    int compress(PageBytes plain) {
        int bound = Math.toIntExact(com.github.luben.zstd.Zstd.compressBound(plain.size()));
        if (compressed.length < bound) {
            compressed = new byte[bound];
        }
        return context.compressByteArray(compressed, 0, compressed.length, plain.array(), 0, plain.size());
    }

    byte[] array() {
        return compressed;
    }

    @Override
    public void close() {
        context.close();
    }
}
