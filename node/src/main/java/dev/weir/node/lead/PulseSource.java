package dev.weir.node.lead;

import dev.weir.partition.catalog.NodeRecord;
import java.util.concurrent.CompletionStage;

/** Asks another node for its pulse. Never blocks; completes within a few seconds, exceptionally where there is no answer. */
public interface PulseSource {
    CompletionStage<NodePulse> ask(NodeRecord node);
}
