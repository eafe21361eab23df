package dev.weir.cdc;

/** How safe it is that a subscription finds what it has not acknowledged. */
enum SubscriptionState {
    OK("ok"),
    /** More than {@link HistoryReach#AT_RISK} of what is kept for it is used up. */
    AT_RISK("at-risk"),
    /** Not all of its partitions answered, and those that did are well. */
    UNKNOWN("unknown"),
    /** The log no longer reaches back to it. */
    LOST("lost");

    private final String word;

    SubscriptionState(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }
}
