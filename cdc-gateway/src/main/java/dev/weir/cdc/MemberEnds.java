package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.CatalogReply;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Says in the catalog that streams of groups' members on this node have ended, which lets others have their partitions. One word a stream is under way at a time; one
 * that is not heard is said anew when the catalog is looked through again.
 *
 * <p>Threading: any; never blocks.
 */
final class MemberEnds {
    private final String node;
    private final Catalog catalog;
    /** By the stream's id; as many as this node had streams of members, at most. */
    private final Map<String, CompletableFuture<CatalogReply>> underWay = new ConcurrentHashMap<>();

    /** @param node this node's id */
    MemberEnds(String node, Catalog catalog) {
        this.node = node;
        this.catalog = catalog;
    }

    /** Said twice it changes nothing, so a race does no harm. */
    CompletionStage<CatalogReply> say(String tenant, String subscription, String member, String stream) {
        CompletableFuture<CatalogReply> before = underWay.get(stream);
        if (before != null) {
            return before;
        }
        CompletableFuture<CatalogReply> word = catalog.propose(
                        new CatalogCommand.EndMemberStream(tenant, subscription, member, stream))
                .toCompletableFuture();
        underWay.put(stream, word);
        return word.whenComplete((reply, failure) -> underWay.remove(stream, word));
    }

    /**
     * Says it of those streams of this node in the catalog that it does not serve: an earlier process of it did, or the word that they had ended came before
     * their joining, or was not heard.
     *
     * @param image from before the look at {@code served}
     * @param served ids of streams, each from before it joins until it has ended
     */
    void sayOfOthersThan(Set<String> served, CatalogImage image) {
        image.allSubscriptions()
                .forEach(each -> each.group()
                        .members()
                        .values()
                        .forEach(member -> Stream.of(member.stream(), member.waiting())
                                .filter(stream -> stream.node().equals(node) && !served.contains(stream.id()))
                                .forEach(stream -> say(each.tenant(), each.name(), member.name(), stream.id()))));
    }

    /** What is said and not answered. */
    Collection<CompletableFuture<CatalogReply>> underWay() {
        return List.copyOf(underWay.values());
    }
}
