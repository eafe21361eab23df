package dev.weir.node.ingest;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The content codings that bodies may come in. */
enum Encoding {
    PLAIN,
    GZIP,
    ZSTD;

    /** What {@code Accept-Encoding} says of them. */
    static final String ACCEPTED = "gzip, zstd, identity";

    /** Of the window that a zstd body may ask for, as a power of two: 32 MiB. */
    private static final int ZSTD_WINDOW_LOG_MAX = 25;

    /** The coding of a {@code Content-Encoding} header; empty for one that is not known. */
    static Optional<Encoding> of(@Nullable String header) {
        if (header == null) {
            return Optional.of(PLAIN);
        }
        return switch (header.strip().toLowerCase(Locale.ROOT)) {
            case "", "identity" -> Optional.of(PLAIN);
            case "gzip", "x-gzip" -> Optional.of(GZIP);
            case "zstd" -> Optional.of(ZSTD);
            default -> Optional.empty();
        };
    }

    /** @throws BadEncodingException the body is broken or cut off */
    void inflate(byte[] body, int length, GrowingBody out) throws BadEncodingException {
        switch (this) {
            case GZIP -> Gzip.inflate(body, length, out);
            case ZSTD -> zstd(body, length, out);
            case PLAIN -> throw new IllegalStateException("a plain body is not inflated");
        }
    }

    private static void zstd(byte[] body, int length, GrowingBody out) throws BadEncodingException {
        if (length == 0) {
            throw new BadEncodingException("Content-Encoding is zstd, but the body is empty");
        }
        try (ZstdInputStreamNoFinalizer in =
                new ZstdInputStreamNoFinalizer(new ByteArrayInputStream(body, 0, length))) {
            in.setLongMax(ZSTD_WINDOW_LOG_MAX);
            while (true) {
                int room = out.room();
                int count = in.read(out.bytes(), out.length(), room);
                if (count < 0) {
                    return;
                }
                out.grown(count);
            }
        } catch (IOException e) {
            throw new BadEncodingException("zstd body: broken or cut off (" + e.getMessage() + ")");
        }
    }
}
