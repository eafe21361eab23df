package dev.weir.partition.file;

import com.github.luben.zstd.ZstdDecompressCtx;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Inflates pages by zstd-jni, so that reading needs no codec of Hadoop's. Used by one thread. */
final class Codecs implements CompressionCodecFactory {
    private final Inflater inflater = new Inflater();

    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
        throw new UnsupportedOperationException(
                "compression by " + codec + ": pages are compressed before they get here");
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
        if (codec != CompressionCodecName.ZSTD) {
            throw new IllegalArgumentException("codec " + codec + ", expected ZSTD");
        }
        return inflater;
    }

    @Override
    public void release() {
        inflater.release();
    }

    private static final class Inflater implements BytesInputDecompressor {
        private final ZstdDecompressCtx context = new ZstdDecompressCtx();

        @Override
        public BytesInput decompress(BytesInput bytes, int inflatedSize) throws IOException {
            byte[] source = bytes.toInputStream().readAllBytes();
            byte[] target = new byte[inflatedSize];
            expect(inflatedSize, context.decompressByteArray(target, 0, inflatedSize, source, 0, source.length));
            return BytesInput.from(target);
        }

        @Override
        public void decompress(ByteBuffer source, int size, ByteBuffer target, int inflatedSize) throws IOException {
            byte[] in = new byte[size];
            source.get(in);
            byte[] out = new byte[inflatedSize];
            expect(inflatedSize, context.decompressByteArray(out, 0, inflatedSize, in, 0, size));
            target.put(out);
        }

        @Override
        public void release() {
            context.close();
        }

        private static void expect(int expected, int found) throws IOException {
            if (found != expected) {
                throw new IOException("a page of " + found + " bytes inflated, expected " + expected);
            }
        }
    }
}
