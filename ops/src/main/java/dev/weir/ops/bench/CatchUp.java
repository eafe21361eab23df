package dev.weir.ops.bench;

import java.util.Collections;
import java.util.List;

/**
 * How far subscribers of the same changes came. Only where all came equally far, and none of their streams ended, is what they took a measure.
 *
 * @param ended why streams ended before they were closed
 */
record CatchUp(long events, long least, long most, List<String> ended) {
    static CatchUp of(List<Long> counts, List<String> ended) {
        return new CatchUp(
                counts.stream().mapToLong(Long::longValue).sum(),
                Collections.min(counts),
                Collections.max(counts),
                List.copyOf(ended));
    }

    boolean isWhole() {
        return least == most && ended.isEmpty();
    }

    @Override
    public String toString() {
        return "subscribers came to between " + least + " and " + most + " events, expected all to the same; "
                + (ended.isEmpty() ? "no stream ended" : ended.size() + " streams ended: " + ended.getFirst());
    }
}
