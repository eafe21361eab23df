package dev.weir.query.sql.run;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A statement that waits or runs. Any thread may look at it and cancel it. */
public final class RunningQuery {
    private final String id;
    private final String tenant;
    private final String user;
    private final String text;
    private final Instant since;
    private final Cancellation cancellation = new Cancellation();
    private final AtomicLong rows = new AtomicLong();
    private volatile @Nullable Statement statement;
    private volatile boolean onSeat;

    RunningQuery(String id, String tenant, String user, String text, Instant since) {
        this.id = id;
        this.tenant = tenant;
        this.user = user;
        this.text = text;
        this.since = since;
    }

    /** Unique in the cluster. */
    public String id() {
        return id;
    }

    public String tenant() {
        return tenant;
    }

    /** The token that asked for it; empty without authentication. */
    public String user() {
        return user;
    }

    public String text() {
        return text;
    }

    public Instant since() {
        return since;
    }

    /** Rows answered so far. */
    public long rows() {
        return rows.get();
    }

    /** Whether it has a seat already. */
    public boolean isRunning() {
        return onSeat;
    }

    /** Its client went away. */
    public void clientLeft() {
        cancellation.fire(Cancellation.Reason.CLIENT_LEFT);
    }

    Cancellation cancellation() {
        return cancellation;
    }

    void seated() {
        onSeat = true;
    }

    long addRows(long count) {
        return rows.addAndGet(count);
    }

    void runs(@Nullable Statement running) {
        statement = running;
    }

    /** A canceled statement fails in many ways; what counts is why it was canceled. */
    Refusal because(Refusal refusal, SqlConfig config) {
        return cancellation
                .reason()
                .map(reason -> switch (reason) {
                    case TIMED_OUT ->
                        Refusal.of(
                                ErrorCode.LIMIT_QUERY,
                                "sql.timeout: not done after "
                                        + config.timeout().toMillis() + " ms");
                    case KILLED -> Refusal.of(ErrorCode.CANCELED, "the statement was killed");
                    case CLIENT_LEFT -> Refusal.of(ErrorCode.CANCELED, "the client left");
                    case STOPPING -> Refusal.of(ErrorCode.OVERLOADED, "the node is stopping");
                })
                .orElse(refusal);
    }

    /** What DuckDB runs for it stops between two vectors. A statement that was about to start may miss one call: it is called again. */
    void interrupt() {
        Statement running = statement;
        if (running != null) {
            try {
                running.cancel();
            } catch (SQLException e) {
                // It ended in the meantime, which is what was wanted.
                statement = null;
            }
        }
    }
}
