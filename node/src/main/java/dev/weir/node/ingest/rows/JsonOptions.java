package dev.weir.node.ingest.rows;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a JSON body is read.
 *
 * @param precision of integer timestamps
 * @param lines the body was declared to be NDJSON; else its shape tells
 * @param flat null for objects of {@code measurement}, {@code tags}, {@code fields}, {@code timestamp}
 */
public record JsonOptions(
        Precision precision,
        boolean lines,
        int rowBytesMax,
        @Nullable Flat flat) {

    /**
     * Objects whose members are fields, but for those named here.
     *
     * @param timeKey the member that is the timestamp
     */
    public record Flat(String measurement, Set<String> tags, String timeKey) {
        public Flat {
            tags = Set.copyOf(tags);
        }
    }
}
