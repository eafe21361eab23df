package dev.weir.wal.ratis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** When each peer answered last, in whichever group: all groups share one connection to it. Any thread. */
final class AnswerTimes {
    private final Map<String, Long> answeredNanos = new ConcurrentHashMap<>();

    /** One group had an answer from the peer at this time. */
    void answered(String nodeId, long nanos) {
        answeredNanos.merge(nodeId, nanos, (known, said) -> said - known > 0 ? said : known);
    }

    /** For how long no group has had an answer; 0 where none ever asked. */
    long silentNanos(String nodeId, long nowNanos) {
        return nowNanos - answeredNanos.getOrDefault(nodeId, nowNanos);
    }
}
