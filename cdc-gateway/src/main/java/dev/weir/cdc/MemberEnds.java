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
    /** Words under way beyond which it says no more of streams that it does not serve: others of this node need room in the catalog's queue too. */
    static final int OF_OTHERS_MAX = 64;

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
        return say(new CatalogCommand.EndMemberStream(tenant, subscription, member, stream));
    }

    private CompletionStage<CatalogReply> say(CatalogCommand.EndMemberStream end) {
        CompletableFuture<CatalogReply> before = underWay.get(end.stream());
        if (before != null) {
            return before;
        }
        CompletableFuture<CatalogReply> word = catalog.propose(end).toCompletableFuture();
        underWay.put(end.stream(), word);
        return word.whenComplete((reply, failure) -> underWay.remove(end.stream(), word));
    }

    /**
     * Says it of those streams of this node in the catalog that it does not serve: an earlier process of it did, or the word that they had ended came before
     * their joining, or was not heard. Of no more at once than {@link #OF_OTHERS_MAX}: the rest is left for the next look.
     *
     * @param image from before the look at {@code served}
     * @param served ids of streams, each from before it joins until it has ended
     */
    void sayOfOthersThan(Set<String> served, CatalogImage image) {
        image.allSubscriptions()
                .flatMap(each -> each.group().members().values().stream()
                        .flatMap(member -> Stream.of(member.stream(), member.waiting())
                                .filter(stream -> stream.node().equals(node) && !served.contains(stream.id()))
                                .map(stream -> new CatalogCommand.EndMemberStream(
                                        each.tenant(), each.name(), member.name(), stream.id()))))
                .filter(end -> !underWay.containsKey(end.stream()))
                .limit(Math.max(0, OF_OTHERS_MAX - underWay.size()))
                .forEach(this::say);
    }

    /** What is said and not answered. */
    Collection<CompletableFuture<CatalogReply>> underWay() {
        return List.copyOf(underWay.values());
    }
}
