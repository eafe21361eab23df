package dev.weir.partition.catalog;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the last proposals were answered, so that one that is sent again (its first answer was lost) is answered the same and does not meet
 * its own effect as a conflict. Part of the replicated state: forgets by count, in log order.
 *
 * <p>Commands whose repetition shows the same by nature are not kept: birth, schemas that rows agree on, the end of a drop, acknowledgements, what members of groups do.
 */
final class ReplyMemory {
    static final int ENTRIES_MAX = 1_024;

    private final LinkedHashMap<String, CatalogReply> replies = new LinkedHashMap<>();

    Optional<CatalogReply> find(String id) {
        return Optional.ofNullable(replies.get(id));
    }

    void remember(CatalogEntry entry, CatalogReply reply) {
        if (repeats(entry.command())) {
            return;
        }
        put(entry.id(), reply);
    }

    void put(String id, CatalogReply reply) {
        replies.put(id, reply);
        if (replies.size() > ENTRIES_MAX) {
            replies.remove(replies.firstEntry().getKey());
        }
    }

    /** In the order in which they will be forgotten. */
    Map<String, CatalogReply> all() {
        return Collections.unmodifiableMap(replies);
    }

    private static boolean repeats(CatalogCommand command) {
        return switch (command) {
            case CatalogCommand.Birth birth -> true;
            case CatalogCommand.AgreeSchema agree -> true;
            case CatalogCommand.DropFinished finished -> true;
            case CatalogCommand.TakeLease take -> true;
            case CatalogCommand.RenewLease renew -> true;
            case CatalogCommand.EndLease end -> true;
            case CatalogCommand.CommitCursors commit -> true;
            case CatalogCommand.Group group -> true;
            case CatalogCommand.StartOperation start -> true;
            case CatalogCommand.AdvanceAction advance -> true;
            case CatalogCommand.SteerOperation steer -> false;
            case CatalogCommand.NodeStarted started -> false;
            case CatalogCommand.CreateTenant create -> false;
            case CatalogCommand.AddAlias add -> false;
            case CatalogCommand.CreateToken create -> false;
            case CatalogCommand.RevokeToken revoke -> false;
            case CatalogCommand.CreateTable create -> false;
            case CatalogCommand.AlterTable alter -> false;
            case CatalogCommand.DropTable drop -> false;
            case CatalogCommand.SetReplicas set -> false;
            case CatalogCommand.PutSubscription put -> false;
            case CatalogCommand.DeleteSubscription delete -> false;
            case CatalogCommand.SeekSubscription seek -> false;
        };
    }
}
