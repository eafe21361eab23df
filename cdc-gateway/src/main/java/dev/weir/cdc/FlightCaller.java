package dev.weir.cdc;

import dev.weir.partition.model.RefusedException;
import org.jspecify.annotations.Nullable;

/** Whose changes a caller of Flight may read, told by the header that HTTP's callers are told by. Any thread; never blocks. */
@FunctionalInterface
public interface FlightCaller {
    /**
     * The caller's tenant.
     *
     * @param authorization null where there is none
     * @throws RefusedException no token, or one that may not
     */
    String tenant(@Nullable String authorization);
}
