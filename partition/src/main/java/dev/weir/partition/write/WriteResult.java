package dev.weir.partition.write;

import dev.weir.partition.model.Refusal;
import org.jspecify.annotations.Nullable;

/** What a {@link PartitionWriter} says of a request. */
public sealed interface WriteResult {
    /** The request's outcome; the requester gets it. */
    record Answered(AppendOutcome outcome) implements WriteResult {}

    /**
     * Nothing was appended: this replica does not lead. Another one may take the request, under the same batch id.
     *
     * @param leader node id of the leader, where it is known
     * @param refusal to answer where no other replica can be found in time
     */
    record TryElsewhere(@Nullable String leader, Refusal refusal) implements WriteResult {}
}
