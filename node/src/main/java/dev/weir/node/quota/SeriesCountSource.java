package dev.weir.node.quota;

import dev.weir.partition.catalog.NodeRecord;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Asks another node how many series each tenant has in the partitions that it holds: partition → tenant → series. Never blocks. */
public interface SeriesCountSource {
    CompletionStage<Map<Integer, Map<String, Integer>>> ask(NodeRecord node);
}
