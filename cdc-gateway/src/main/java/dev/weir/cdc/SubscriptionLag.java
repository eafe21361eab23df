package dev.weir.cdc;

import java.util.List;
import java.util.OptionalLong;

/**
 * How far a subscription is behind, as one node sees it.
 *
 * @param events not acknowledged, over all its partitions, whether or not its filter lets them pass
 * @param bytes of the log that hold them
 * @param seconds since the oldest of them was committed; 0 where there are none
 * @param secondsToRetention until the first of them may go, an estimate; empty where there are none
 * @param unreachable partitions that are not counted, since none of their replicas answered
 */
record SubscriptionLag(
        SubscriptionState state,
        long events,
        long bytes,
        double seconds,
        OptionalLong secondsToRetention,
        List<Integer> unreachable) {}
