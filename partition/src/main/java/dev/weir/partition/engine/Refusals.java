package dev.weir.partition.engine;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.WriteResult;
import dev.weir.wal.LogException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The writer's words of refusal, and what the log's failures mean to a requester. */
final class Refusals {
    private static final long RETRY_AFTER_MS = 1000;

    private Refusals() {}

    static WriteResult answered(int partition, ErrorCode code, String message) {
        return new WriteResult.Answered(
                new AppendOutcome.Refused(Refusal.of(code, "partition " + partition + ": " + message)));
    }

    static WriteResult elsewhere(int partition, @Nullable String leader, String message) {
        return new WriteResult.TryElsewhere(
                leader, new Refusal(ErrorCode.NO_LEADER, "partition " + partition + ": " + message, RETRY_AFTER_MS));
    }

    /** What became of the requests of an entry whose append failed. */
    static WriteResult failed(int partition, Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (!(cause instanceof LogException log)) {
            return unknown(String.valueOf(cause));
        }
        String message = String.valueOf(log.getMessage());
        return switch (log.kind()) {
            case NOT_LEADER -> elsewhere(partition, log.leader(), message);
            case UNAVAILABLE, NO_SUCH_GROUP -> elsewhere(partition, null, message);
            case TOO_LARGE -> answered(partition, ErrorCode.TOO_LARGE, message);
            case OVERLOADED -> answered(partition, ErrorCode.OVERLOADED, message);
            case DISK_FULL -> answered(partition, ErrorCode.DISK_FULL, message);
            case UNKNOWN -> unknown(message);
        };
    }

    static WriteResult unknown(String message) {
        return new WriteResult.Answered(new AppendOutcome.Unknown(message));
    }
}
