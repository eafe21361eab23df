package dev.weir.node.route;

import dev.weir.partition.catalog.NodeRecord;
import dev.weir.query.sql.route.NodeNotice;
import java.util.concurrent.CompletionStage;

/** Asks another node how it stands. */
public interface NoticeSource {
    CompletionStage<NodeNotice> ask(NodeRecord node);
}
