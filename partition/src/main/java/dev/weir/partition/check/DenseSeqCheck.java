package dev.weir.partition.check;

import dev.weir.partition.model.ChangeEvent;
import java.util.HashMap;
import java.util.Map;

/**
 * Per partition, seq is dense: no hole, no repeat, and commit times never fall. Fed with the deduplicated, unfiltered events of one subscriber
 * in the order in which it got them. Not thread-safe.
 */
public final class DenseSeqCheck {
    private final Map<Integer, ChangeEvent> last = new HashMap<>();
    private final Violations violations = new Violations();

    public void event(ChangeEvent event) {
        ChangeEvent before = last.put(event.partition(), event);
        if (before == null) {
            return;
        }
        if (event.seq() != before.seq() + 1) {
            violations.add("partition " + event.partition() + ": after seq " + before.seq() + " expected "
                    + (before.seq() + 1) + ", found " + event.seq());
        }
        if (event.committedAtNanos() < before.committedAtNanos()) {
            violations.add("partition " + event.partition() + " seq " + event.seq() + ": committed at "
                    + event.committedAtNanos() + ", before its predecessor's " + before.committedAtNanos());
        }
    }

    /** The seq after the last one seen; 0 where none was. */
    public long nextSeq(int partition) {
        ChangeEvent event = last.get(partition);
        return event == null ? 0 : event.seq() + 1;
    }

    public Violations violations() {
        return violations;
    }
}
