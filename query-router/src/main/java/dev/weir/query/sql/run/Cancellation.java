package dev.weir.query.sql.run;

import dev.weir.query.sql.image.CancelSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Fires once, for the first reason given. Any thread. */
final class Cancellation implements CancelSignal {
    /** Why nobody waits any more. */
    enum Reason {
        CLIENT_LEFT,
        KILLED,
        TIMED_OUT,
        STOPPING
    }

    private final List<Runnable> actions = new ArrayList<>();
    private @Nullable Reason reason;

    boolean fire(Reason why) {
        List<Runnable> due;
        // The lock guards reason and actions together: no action is lost between a firing and a registration.
        synchronized (actions) {
            if (reason != null) {
                return false;
            }
            reason = why;
            due = List.copyOf(actions);
            actions.clear();
        }
        due.forEach(Runnable::run);
        return true;
    }

    Optional<Reason> reason() {
        synchronized (actions) {
            return Optional.ofNullable(reason);
        }
    }

    @Override
    public boolean isCanceled() {
        return reason().isPresent();
    }

    @Override
    public void onCancel(Runnable action) {
        synchronized (actions) {
            if (reason == null) {
                actions.add(action);
                return;
            }
        }
        action.run();
    }
}
