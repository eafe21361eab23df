package dev.weir.wal.ratis;

import dev.weir.wal.ReplicatedState;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a state who leads, by comparing what is with what it was told last: so a lost or late event of Ratis costs time only.
 *
 * <p>Threading: {@link #look} from any thread, also under Ratis's locks; the state is told from the executor, one call at a time.
 */
final class LeadershipTeller {
    private static final Logger LOG = LoggerFactory.getLogger(LeadershipTeller.class);

    /** Who leads, as this replica knows. */
    record View(boolean leads, @Nullable String leader, long term) {
        static final View NOBODY = new View(false, null, -1);

        /** A follower is not told each term in which nobody was elected. */
        boolean sameAs(View other) {
            return leads == other.leads
                    && Objects.equals(leader, other.leader)
                    && (leader == null || term == other.term);
        }
    }

    private final ReplicatedState state;
    private final Supplier<View> facts;
    private final Executor executor;
    private final AtomicBoolean looking = new AtomicBoolean();
    private volatile View told = View.NOBODY;

    LeadershipTeller(ReplicatedState state, Supplier<View> facts, Executor executor) {
        this.state = state;
        this.facts = facts;
        this.executor = executor;
    }

    /** What the state was told last. */
    View told() {
        return told;
    }

    void look() {
        if (looking.compareAndSet(false, true)) {
            executor.execute(this::tell);
        }
    }

    private void tell() {
        looking.set(false);
        synchronized (this) { // one call at a time, in the order of the facts
            View now = facts.get();
            if (!now.sameAs(told)) {
                try {
                    state.leadership(now.leads(), now.leader(), now.term());
                } catch (RuntimeException e) {
                    LOG.error("leadership callback failed", e);
                }
                told = now;
            }
        }
    }
}
