package dev.weir.node.lead;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether enough voters of a log have free space. */
final class DiskMajority {
    private DiskMajority() {}

    /**
     * Why too few have space, or null where enough have it.
     *
     * @param full voters known to be below their reserve; one of which nothing is known is not full
     */
    static @Nullable String shortage(int voters, List<String> full) {
        int needed = voters / 2 + 1;
        return voters - full.size() >= needed
                ? null
                : "free space is below disk.reserve-bytes on " + String.join(", ", full)
                        + ": expected space on at least " + needed + " of " + voters + " voters";
    }
}
