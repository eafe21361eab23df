package dev.weir.cdc;

/**
 * Events of a partition that a stream has left out: seqs from {@code first} to {@code last}, both among them. They were not looked at: those of other
 * tenants, and those that the stream's filter leaves out, are counted too.
 */
public record Gap(int partition, long first, long last, Reason reason) {
    /** Why they were left out. */
    public enum Reason {
        /** The reader was further behind than it wants to be. */
        SLOW,
        /** Retention took them before they were read. */
        RETENTION,
        /** Files, which alone reach back so far, no longer have them: they were overwritten or deleted, or are not of tables that the stream carries. */
        COMPACTED;

        String wireName() {
            return switch (this) {
                case SLOW -> "slow";
                case RETENTION -> "retention";
                case COMPACTED -> "compacted";
            };
        }
    }

    public long count() {
        return last - first + 1;
    }

    boolean isFollowedBy(Gap next) {
        return partition == next.partition && last + 1 == next.first && reason == next.reason;
    }

    /** The data of its frame. */
    String json(boolean int64AsString) {
        String quote = int64AsString ? "\"" : "";
        return "{\"partition\":" + partition + ",\"first_seq\":" + quote + first + quote + ",\"last_seq\":" + quote
                + last + quote + ",\"count\":" + count() + ",\"reason\":\"" + reason.wireName() + "\"}";
    }
}
