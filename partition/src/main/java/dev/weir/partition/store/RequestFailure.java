package dev.weir.partition.store;

import dev.weir.partition.store.StoreException.Kind;
import java.time.Duration;

/** One request failed; says whether it is worth another try. Never leaves this package. */
final class RequestFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final Kind kind;
    private final boolean isTransient;

    RequestFailure(Kind kind, boolean isTransient, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.isTransient = isTransient;
    }

    Kind kind() {
        return kind;
    }

    boolean isTransient() {
        return isTransient;
    }

    /** Whether a person would call it an error; "no such object" and "key is taken" are answers. */
    boolean isTrouble() {
        return kind != Kind.NOT_FOUND && kind != Kind.CONFLICT;
    }

    StoreException toStoreException(String what, int tries, Duration spent) {
        String effort = tries == 1 ? "" : ", after " + tries + " tries in " + spent.toSeconds() + " s";
        return new StoreException(kind, what + ": " + getMessage() + effort, this);
    }
}
