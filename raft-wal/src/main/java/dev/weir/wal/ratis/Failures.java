package dev.weir.wal.ratis;

import dev.weir.wal.LogException;
import dev.weir.wal.LogException.Kind;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.exceptions.GroupMismatchException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.ResourceUnavailableException;
import org.jspecify.annotations.Nullable;

/** Says in our words why Ratis did not do what it was asked. */
final class Failures {
    private Failures() {}

    /** Of an append. Once the entry may be in the log, whatever Ratis says, the outcome is unknown. */
    static LogException ofAppend(PendingAppend append, Throwable failure) {
        Throwable cause = unwrap(failure);
        if (append.mayBeInLog()) {
            return new LogException(
                    Kind.UNKNOWN, "the entry was in the leader's log when it failed: " + words(cause), null, cause);
        }
        return of(cause);
    }

    /** Of a change of members or leader, asked of a leader: once it leads no more, its successor may complete the change. */
    static LogException ofChange(Throwable failure) {
        Throwable cause = unwrap(failure);
        return cause instanceof NotLeaderException
                ? new LogException(Kind.UNKNOWN, "leadership was lost meanwhile", null, cause)
                : of(cause);
    }

    /** Of a request of which nothing remains where it fails. */
    static LogException of(Throwable failure) {
        Throwable cause = unwrap(failure);
        return switch (cause) {
            case LogException ours -> ours;
            case NotLeaderException notLeader -> notLeader(notLeader);
            case GroupMismatchException mismatch ->
                new LogException(Kind.NO_SUCH_GROUP, words(mismatch), null, mismatch);
            case ResourceUnavailableException full -> new LogException(Kind.OVERLOADED, words(full), null, full);
            default -> new LogException(Kind.UNAVAILABLE, words(cause), null, cause);
        };
    }

    private static LogException notLeader(NotLeaderException notLeader) {
        RaftPeer leader = notLeader.getSuggestedLeader();
        return leader == null
                ? new LogException(Kind.UNAVAILABLE, "this replica does not lead and knows no leader", null, notLeader)
                : new LogException(
                        Kind.NOT_LEADER,
                        "node " + leader.getId() + " leads",
                        leader.getId().toString(),
                        notLeader);
    }

    /** The failure that a reply carries, or that took its place; null after a success. */
    static @Nullable Throwable in(@Nullable RaftClientReply reply, @Nullable Throwable error) {
        if (error != null) {
            return error;
        }
        if (reply == null) {
            return new IllegalStateException("no reply");
        }
        if (reply.isSuccess()) {
            return null;
        }
        Throwable inReply = reply.getException();
        return inReply != null ? inReply : new IllegalStateException("failed without a reason: " + reply);
    }

    /** Completes with what became of a request: with nothing, or with its failure in our words. */
    static void settle(
            CompletableFuture<Void> result,
            @Nullable RaftClientReply reply,
            @Nullable Throwable error,
            Function<Throwable, LogException> words) {
        Throwable failure = in(reply, error);
        if (failure == null) {
            result.complete(null);
        } else {
            result.completeExceptionally(words.apply(failure));
        }
    }

    static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static String words(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
