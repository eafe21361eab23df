package dev.weir.node.internal;

import dev.weir.node.route.NoticeSource;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.query.sql.route.NodeNotice;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Notices by {@code /internal/v1/sql/notice}. Any thread. */
public final class NoticeCalls implements NoticeSource {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final PeerClient peers;

    public NoticeCalls(PeerClient peers) {
        this.peers = peers;
    }

    @Override
    public CompletionStage<NodeNotice> ask(NodeRecord node) {
        return peers.post(node, RouteMessages.NOTICE, Buffer.buffer(), TIMEOUT).thenApply(RouteMessages::decodeNotice);
    }
}
