package dev.weir.node.internal;

import dev.weir.partition.catalog.NodeRecord;
import dev.weir.query.sql.statement.ClusterQueries.QueryRow;
import dev.weir.query.sql.statement.ClusterQueries.Running;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** What a node asks others about a tenant's statements: which there are, and to cancel one. Any thread. */
public final class QueryCalls {
    /** Paths below {@code /internal/v1}. */
    public static final String RUNNING = "/queries/running";

    public static final String KILL = "/queries/kill";

    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final PeerClient peers;

    public QueryCalls(PeerClient peers) {
        this.peers = peers;
    }

    /** One statement of a tenant, by its id. */
    public record Named(String tenant, String id) {}

    public CompletionStage<List<QueryRow>> running(NodeRecord node, String tenant) {
        return peers.post(node, RUNNING, encodeTenant(tenant), TIMEOUT).thenApply(QueryCalls::decodeRows);
    }

    public CompletionStage<Boolean> kill(NodeRecord node, Named query) {
        return peers.post(node, KILL, encode(query), TIMEOUT).thenApply(QueryCalls::decodeKilled);
    }

    static Buffer encodeTenant(String tenant) {
        return new WireWriter(64).putText(tenant).buffer();
    }

    /** The message of {@link #RUNNING}. */
    public static String decodeTenant(Buffer message) {
        return new WireReader(message).readText();
    }

    /** The answer to {@link #RUNNING}. */
    public static Buffer encode(Running running) {
        WireWriter out = new WireWriter(256).putInt(running.queries().size());
        for (QueryRow row : running.queries()) {
            out.putText(row.id())
                    .putText(row.node())
                    .putText(row.user())
                    .putText(row.state())
                    .putLong(row.age().toMillis())
                    .putLong(row.rows())
                    .putText(row.text());
        }
        return out.buffer();
    }

    static List<QueryRow> decodeRows(Buffer message) {
        WireReader in = new WireReader(message);
        List<QueryRow> rows = new ArrayList<>();
        for (int left = in.readCount(36); left > 0; left--) {
            rows.add(new QueryRow(
                    in.readText(),
                    in.readText(),
                    in.readText(),
                    in.readText(),
                    Duration.ofMillis(in.readLong()),
                    in.readLong(),
                    in.readText()));
        }
        return rows;
    }

    static Buffer encode(Named query) {
        return new WireWriter(64).putText(query.tenant()).putText(query.id()).buffer();
    }

    /** The message of {@link #KILL}. */
    public static Named decodeNamed(Buffer message) {
        WireReader in = new WireReader(message);
        return new Named(in.readText(), in.readText());
    }

    /** The answer to {@link #KILL}. */
    public static Buffer encodeKilled(boolean killed) {
        return new WireWriter(8).putBool(killed).buffer();
    }

    static boolean decodeKilled(Buffer message) {
        return new WireReader(message).readBool();
    }
}
