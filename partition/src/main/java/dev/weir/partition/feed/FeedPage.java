package dev.weir.partition.feed;

import java.util.List;

/**
 * A page of a partition's changes.
 *
 * @param batches of all tenants, in order of seq; together exactly the events from the asked seq up to {@code nextSeq}
 * @param nextSeq where the next page begins
 * @param head one past the last event applied here when the page was read
 */
public record FeedPage(List<ChangeBatch> batches, long nextSeq, long head) {
    public FeedPage {
        batches = List.copyOf(batches);
    }
}
