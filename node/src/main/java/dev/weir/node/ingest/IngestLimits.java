package dev.weir.node.ingest;

import dev.weir.node.ingest.letter.LetterLimits;

/**
 * What the front door takes at most.
 *
 * @param bodyBytesMax of one body as it is sent
 * @param inflatedBytesMax of one body once it is inflated
 * @param bytesInFlightMax of all bodies that the node holds, inflated ones counted as such; one largest body and what it inflates to always fit
 * @param rowBytesMax of one row's text
 * @param seriesCacheBytes heap for known series
 * @param letters of refused rows
 */
public record IngestLimits(
        int bodyBytesMax,
        int inflatedBytesMax,
        long bytesInFlightMax,
        int rowBytesMax,
        long seriesCacheBytes,
        LetterLimits letters) {
    public static final int BODY_BYTES_MAX_DEFAULT = 32 << 20;
    public static final int INFLATED_BYTES_MAX_DEFAULT = 128 << 20;
    public static final long BYTES_IN_FLIGHT_MAX_DEFAULT = 256L << 20;
    public static final int ROW_BYTES_MAX_DEFAULT = 1 << 20;
    public static final long SERIES_CACHE_BYTES_DEFAULT = 64L << 20;

    public IngestLimits {
        if (bodyBytesMax < 1 || inflatedBytesMax < bodyBytesMax) {
            throw new IllegalArgumentException("ingest limits: expected 1 <= body <= inflated bytes, found "
                    + bodyBytesMax + " and " + inflatedBytesMax);
        }
        if (rowBytesMax < 1 || rowBytesMax > ROW_BYTES_MAX_DEFAULT) {
            throw new IllegalArgumentException(
                    "ingest limits: row bytes " + rowBytesMax + ", expected 1 to " + ROW_BYTES_MAX_DEFAULT);
        }
    }

    /** {@link #bytesInFlightMax}, or what one body may need if that is more. */
    long budgetBytes() {
        return Math.max(bytesInFlightMax, (long) bodyBytesMax + inflatedBytesMax);
    }

    public static IngestLimits defaults() {
        return new IngestLimits(
                BODY_BYTES_MAX_DEFAULT,
                INFLATED_BYTES_MAX_DEFAULT,
                BYTES_IN_FLIGHT_MAX_DEFAULT,
                ROW_BYTES_MAX_DEFAULT,
                SERIES_CACHE_BYTES_DEFAULT,
                LetterLimits.defaults());
    }
}
