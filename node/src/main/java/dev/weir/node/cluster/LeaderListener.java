package dev.weir.node.cluster;

import com.hazelcast.core.EntryAdapter;
import com.hazelcast.core.EntryEvent;
import java.util.Map;

/** Copies what is said about leaders, so that nobody who asks waits for Hazelcast. */
final class LeaderListener extends EntryAdapter<Integer, String> {
    private final Map<Integer, String> leaders;

    LeaderListener(Map<Integer, String> leaders) {
        this.leaders = leaders;
    }

    @Override
    public void onEntryEvent(EntryEvent<Integer, String> event) {
        if (event.getValue() != null) {
            leaders.put(event.getKey(), event.getValue());
        }
    }
}
