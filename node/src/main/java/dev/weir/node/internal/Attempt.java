package dev.weir.node.internal;

import dev.weir.partition.write.AppendOutcome;
import org.jspecify.annotations.Nullable;

/** What one replica said to a request for its partition's leader. */
public sealed interface Attempt {
    /** The outcome is final. */
    record Done(AppendOutcome outcome) implements Attempt {}

    /** Nothing was appended: this replica does not lead. {@code leader} does, as far as it knows. */
    record Elsewhere(@Nullable String leader, String why) implements Attempt {}

    /** Whether it was or will be appended can't be told; trying again with the same batch id is safe. */
    record Open(String why) implements Attempt {}
}
