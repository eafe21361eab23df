package dev.weir.partition.catalog;

import dev.weir.partition.model.Cursor;
import dev.weir.partition.model.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** What becomes of the members of groups. Part of {@link CatalogFold}'s rules: pure. */
final class Groups {
    private final FoldedImage image;
    private final long version;

    Groups(FoldedImage image, long version) {
        this.image = image;
        this.version = version;
    }

    CatalogDecision decide(CatalogCommand.Group command) {
        return switch (command) {
            case CatalogCommand.JoinGroup join -> join(join);
            case CatalogCommand.EndMemberStream end -> end(end);
            case CatalogCommand.SetReady set -> setReady(set);
            case CatalogCommand.ExpireMember expire -> expire(expire);
            case CatalogCommand.RenewMembers renew ->
                CatalogDecision.done(version, new CatalogChange.MemberLeasePut(renew.node(), version));
            case CatalogCommand.ExpireNode expire -> expireNode(expire);
        };
    }

    private CatalogDecision join(CatalogCommand.JoinGroup join) {
        Optional<SubscriptionRecord> found = image.subscription(join.tenant(), join.name());
        if (found.isEmpty()) {
            return CatalogDecision.refused(
                    version, ErrorCode.NOT_FOUND, "no subscription " + join.name() + " is known");
        }
        ConsumerGroup group = found.get().group();
        GroupMember known = group.members().get(join.member());
        if (known == null && group.members().size() >= join.membersMax()) {
            return CatalogDecision.refused(
                    version,
                    ErrorCode.LIMIT_SUBSCRIPTIONS,
                    "subscription " + join.name() + " has as many members as it may, the limit is " + join.membersMax()
                            + "; those without a stream leave after cdc.member-timeout");
        }
        GroupMember member = known == null
                ? GroupMember.joined(join.member(), join.stream(), version)
                : joined(known, join.stream());
        boolean isFirst = group.members().isEmpty() && isOf(found.get(), join.generation());
        return balanced(found.get(), (isFirst ? group.withReady(join.ready()) : group).with(member));
    }

    /** What is ready was made out for the subscription as it is, not as it was before it was moved or made again. */
    private static boolean isOf(SubscriptionRecord subscription, long generation) {
        return generation == CatalogCommand.Group.ANY_GENERATION || generation == subscription.generation();
    }

    /** A stream that comes while another is open has to wait, and makes that one end. */
    private GroupMember joined(GroupMember known, MemberStream stream) {
        if (known.stream().equals(stream) || known.waiting().equals(stream)) {
            return known;
        }
        return known.stream().open()
                ? known.withStreams(known.stream(), stream, version)
                : known.withStreams(stream, MemberStream.NONE, version);
    }

    private CatalogDecision end(CatalogCommand.EndMemberStream end) {
        Optional<SubscriptionRecord> found = image.subscription(end.tenant(), end.name());
        GroupMember member =
                found.isEmpty() ? null : found.get().group().members().get(end.member());
        if (found.isEmpty() || member == null) {
            return CatalogDecision.done(version);
        }
        if (member.stream().id().equals(end.stream())) {
            return balanced(found.get(), found.get().group().with(member.ended(version)));
        }
        return member.waiting().id().equals(end.stream())
                ? balanced(
                        found.get(),
                        found.get().group().with(member.withStreams(member.stream(), MemberStream.NONE, version)))
                : CatalogDecision.done(version);
    }

    private CatalogDecision setReady(CatalogCommand.SetReady set) {
        return image.subscription(set.tenant(), set.name())
                .filter(found -> !found.group().members().isEmpty() && isOf(found, set.generation()))
                .map(found -> balanced(found, found.group().withReady(set.ready())))
                .orElseGet(() -> CatalogDecision.done(version));
    }

    private CatalogDecision expire(CatalogCommand.ExpireMember expire) {
        Optional<SubscriptionRecord> found = image.subscription(expire.tenant(), expire.name());
        GroupMember member =
                found.isEmpty() ? null : found.get().group().members().get(expire.member());
        if (found.isEmpty()
                || member == null
                || member.generation() != expire.generation()
                || member.stream().open()) {
            return CatalogDecision.done(version);
        }
        return balanced(found.get(), found.get().group().without(expire.member()));
    }

    /** Members whose client has come back elsewhere meanwhile go on there; the others are gone. */
    private CatalogDecision expireNode(CatalogCommand.ExpireNode expire) {
        if (image.memberLeases().getOrDefault(expire.node(), 0L) != expire.lease()) {
            return CatalogDecision.done(version);
        }
        List<CatalogChange> changes = new ArrayList<>();
        changes.add(new CatalogChange.MemberLeaseRemoved(expire.node()));
        image.allSubscriptions().forEach(each -> {
            ConsumerGroup after = each.group();
            for (GroupMember member : each.group().members().values()) {
                after = expired(after, member, expire.node());
            }
            if (!after.equals(each.group())) {
                changes.add(put(each, after));
            }
        });
        return new CatalogDecision(changes, new CatalogReply.Done(version));
    }

    private ConsumerGroup expired(ConsumerGroup group, GroupMember member, String node) {
        GroupMember left = member.waiting().node().equals(node)
                ? member.withStreams(member.stream(), MemberStream.NONE, version)
                : member;
        if (!left.stream().node().equals(node)) {
            return group.with(left);
        }
        return left.waiting().open() ? group.with(left.ended(version)) : group.without(left.name());
    }

    private CatalogDecision balanced(SubscriptionRecord subscription, ConsumerGroup group) {
        CatalogChange change = put(subscription, group);
        return change.equals(new CatalogChange.SubscriptionPut(subscription))
                ? CatalogDecision.done(version)
                : CatalogDecision.done(version, change);
    }

    private CatalogChange put(SubscriptionRecord subscription, ConsumerGroup group) {
        return new CatalogChange.SubscriptionPut(subscription.withGroup(GroupBalance.balanced(group, version)));
    }

    /**
     * All members have to begin anew, at another place. Each keeps its partitions, but for those that the place does not name: a child whose parent has to be
     * read again is ready only when that is acknowledged once more.
     */
    static ConsumerGroup moved(ConsumerGroup group, Cursor to, long version) {
        SortedMap<String, GroupMember> members = new TreeMap<>();
        group.members()
                .forEach((name, member) ->
                        members.put(name, member.withStreams(member.stream(), member.waiting(), version)));
        SortedSet<Integer> ready = new TreeSet<>(group.ready());
        ready.retainAll(to.next().keySet());
        return GroupBalance.balanced(new ConsumerGroup(ready, members), version);
    }
}
