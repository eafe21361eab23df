package dev.weir.node.lead;

import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;

/** The clock that the voters of a log agree on most. */
final class ClockMedian {
    private ClockMedian() {}

    /**
     * The median of the clocks that are known, of an even number the mean of the two in the middle; empty where most voters' are not known.
     *
     * @param aheadMs of the clocks known, each against the same one
     * @param voters how many there are
     */
    static OptionalLong of(Collection<Long> aheadMs, int voters) {
        if (2 * aheadMs.size() <= voters) {
            return OptionalLong.empty();
        }
        List<Long> sorted = aheadMs.stream().sorted().toList();
        long upper = sorted.get(sorted.size() / 2);
        long lower = sorted.get((sorted.size() - 1) / 2);
        return OptionalLong.of(lower + (upper - lower) / 2);
    }
}
