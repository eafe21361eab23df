package dev.weir.partition.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.model.Cursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class GroupsTest {
    private static final SortedSet<Integer> ALL = new TreeSet<>(List.of(0, 1, 2, 3));

    private FoldedImage image = CatalogSamples.born();
    private long version = 1;

    private void make() {
        TreeMap<Integer, Long> start = new TreeMap<>();
        ALL.forEach(partition -> start.put(partition, 1L));
        propose(new CatalogCommand.PutSubscription(
                SubscriptionRecord.made(
                        "default", "s", new TreeMap<>(), "now", new Cursor(start), SubscriptionBudget.NONE, 0),
                9));
    }

    @Test
    void aPartitionGoesOverOnlyWhenTheOldStreamHasEnded() {
        make();
        join("a", "n1", "a1");
        assertThat(member("a").kept()).isEqualTo(ALL);
        long before = member("a").generation();

        join("b", "n2", "b1");
        assertThat(member("a").leaving()).containsExactly(2, 3);
        assertThat(member("a").generation()).isGreaterThan(before);
        assertThat(member("b").partitions()).isEmpty();

        propose(new CatalogCommand.EndMemberStream("default", "s", "a", "a1"));
        assertThat(member("a").partitions()).containsExactly(0, 1);
        assertThat(member("b").kept()).containsExactly(2, 3);
        join("a", "n1", "a2");
        assertThat(member("a").kept()).containsExactly(0, 1);
        assertThat(member("a").stream().id()).isEqualTo("a2");
    }

    @Test
    void anotherStreamOfTheSameMemberWaitsForTheFirst() {
        make();
        join("a", "n1", "a1");
        join("a", "n2", "a2");
        assertThat(member("a").stream().id()).isEqualTo("a1");
        assertThat(member("a").waiting().id()).isEqualTo("a2");
        propose(new CatalogCommand.EndMemberStream("default", "s", "a", "a1"));
        assertThat(member("a").stream().id()).isEqualTo("a2");
        assertThat(member("a").kept()).isEqualTo(ALL);
        propose(new CatalogCommand.EndMemberStream("default", "s", "a", "a1"));
        assertThat(member("a").stream().id()).isEqualTo("a2");
    }

    @Test
    void aNodeThatRenewedInTimeIsNotGivenUp() {
        make();
        propose(new CatalogCommand.RenewMembers("n1"));
        long lease = version;
        join("a", "n1", "a1");
        propose(new CatalogCommand.RenewMembers("n1"));
        propose(new CatalogCommand.ExpireNode("n1", lease));
        assertThat(member("a").stream().open()).isTrue();

        join("b", "n2", "b1");
        propose(new CatalogCommand.ExpireNode("n1", image.memberLeases().get("n1")));
        assertThat(group().members()).containsOnlyKeys("b");
        assertThat(member("b").kept()).isEqualTo(ALL);
        assertThat(image.memberLeases()).isEmpty();
    }

    @Test
    void aMemberThatCameBackElsewhereKeepsItsPartitionsWhenItsNodeIsGivenUp() {
        make();
        join("a", "n1", "a1");
        join("a", "n2", "a2");
        propose(new CatalogCommand.ExpireNode("n1", 0));
        assertThat(member("a").stream().id()).isEqualTo("a2");
        assertThat(member("a").kept()).isEqualTo(ALL);
    }

    @Test
    void onlyAMemberWithoutAStreamExpires() {
        make();
        join("a", "n1", "a1");
        propose(new CatalogCommand.ExpireMember("default", "s", "a", member("a").generation()));
        assertThat(group().members()).containsKey("a");
        propose(new CatalogCommand.EndMemberStream("default", "s", "a", "a1"));
        propose(new CatalogCommand.ExpireMember("default", "s", "a", member("a").generation() - 1));
        assertThat(group().members()).containsKey("a");
        propose(new CatalogCommand.ExpireMember("default", "s", "a", member("a").generation()));
        assertThat(group().members()).isEmpty();
    }

    @Test
    void membersAcknowledgeTheirOwnPartitionsInTheirOwnGeneration() {
        make();
        join("a", "n1", "a1");
        join("b", "n2", "b1");
        propose(new CatalogCommand.EndMemberStream("default", "s", "a", "a1"));
        join("a", "n1", "a2");
        ack("a", member("a").generation(), 0, 7);
        ack("a", member("a").generation(), 2, 7);
        ack("b", member("b").generation() - 1, 3, 7);
        ack("", image.subscription("default", "s").orElseThrow().generation(), 1, 7);

        assertThat(image.subscription("default", "s").orElseThrow().cursor().next())
                .isEqualTo(Map.of(0, 7L, 1, 1L, 2, 1L, 3, 1L));
    }

    /** Partition 7 is a child of 3, whose events come again before its. */
    @Test
    void aSeekTakesBackWhatItsPlaceDoesNotName() {
        make();
        join("a", "n1", "a1");
        setReady(new TreeSet<>(List.of(0, 1, 2, 7)));
        propose(new CatalogCommand.EndMemberStream("default", "s", "a", "a1"));
        join("a", "n1", "a2");
        join("b", "n2", "b1");
        propose(new CatalogCommand.EndMemberStream("default", "s", "a", "a2"));
        assertThat(member("b").kept()).containsExactly(2, 7);
        long before = member("a").generation();

        seek(ALL);
        assertThat(group().ready()).containsExactly(0, 1, 2);
        assertThat(member("a").kept()).containsExactly(0, 1);
        assertThat(member("a").generation()).isGreaterThan(before);
        assertThat(member("b").kept()).containsExactly(2);
        assertThat(member("b").partitions()).as("its stream is open").containsExactly(2, 7);
        propose(new CatalogCommand.EndMemberStream("default", "s", "b", "b1"));
        assertThat(member("b").partitions()).containsExactly(2);
    }

    /** Partition 7 is a child of 3; what follows the seek was made out before it. */
    @Test
    void whatWasReadyBeforeASeekIsNotHandedOutBehindIt() {
        make();
        SortedSet<Integer> withChild = new TreeSet<>(List.of(0, 1, 2, 7));
        long before = generation();
        seek(ALL);
        propose(new CatalogCommand.JoinGroup("default", "s", "a", new MemberStream("n1", "a1"), before, withChild, 9));
        assertThat(member("a").stream().open()).isTrue();
        assertThat(member("a").partitions()).isEmpty();
        propose(new CatalogCommand.SetReady("default", "s", before, withChild));
        assertThat(group().ready()).isEmpty();

        setReady(ALL);
        assertThat(group().ready()).isEqualTo(ALL);
    }

    @Test
    void entriesThatSayNoGenerationCountInAny() {
        make();
        long any = CatalogCommand.Group.ANY_GENERATION;
        propose(new CatalogCommand.JoinGroup("default", "s", "a", new MemberStream("n1", "a1"), any, ALL, 9));
        assertThat(group().ready()).isEqualTo(ALL);
        propose(new CatalogCommand.SetReady("default", "s", any, new TreeSet<>(List.of(0, 7))));
        assertThat(group().ready()).containsExactly(0, 7);
    }

    @Test
    void membersAreBounded() {
        make();
        for (String name : List.of("a", "b", "c")) {
            join(name, "n1", name);
        }
        assertThat(propose(new CatalogCommand.JoinGroup(
                        "default", "s", "d", new MemberStream("n1", "d"), generation(), ALL, 3)))
                .isInstanceOf(CatalogReply.Refused.class);
        join("a", "n1", "a2");
    }

    /** Members come, go, lose their nodes; partitions become ready and not; seeks move all. No partition is ever read by two. */
    @Test
    void noPartitionIsEverReadByTwo() {
        for (long seed = 0; seed < 40; seed++) {
            try {
                new Run(seed).go();
            } catch (AssertionError e) {
                throw new AssertionError("seed " + seed, e);
            }
        }
    }

    /** Streams as nodes have them: they read what they were granted until they notice that it has changed. */
    private final class Run {
        private final Random random;
        private final Map<String, SortedSet<Integer>> reading = new HashMap<>();
        private final Map<String, String> memberOf = new HashMap<>();
        private int streams;

        Run(long seed) {
            random = new Random(seed);
            image = CatalogSamples.born();
            version = 1;
            make();
        }

        void go() {
            for (int step = 0; step < 80; step++) {
                step();
                check();
            }
            settle();
        }

        private void step() {
            String name = "m" + random.nextInt(4);
            switch (random.nextInt(7)) {
                case 0, 1 -> {
                    String stream = "st" + streams++;
                    memberOf.put(stream, name);
                    join(name, "n" + random.nextInt(3), stream);
                }
                case 2 -> endOne();
                case 3 ->
                    propose(new CatalogCommand.ExpireMember(
                            "default",
                            "s",
                            name,
                            group().members().containsKey(name) ? member(name).generation() : 0));
                case 4 -> expireNode("n" + random.nextInt(3));
                case 5 -> seek(ready());
                default -> setReady(ready());
            }
            grant();
        }

        private SortedSet<Integer> ready() {
            SortedSet<Integer> some = new TreeSet<>(ALL);
            some.removeIf(partition -> random.nextInt(4) == 0);
            return some;
        }

        /** A stream that was granted reads from then on. */
        private void grant() {
            group().members().values().stream()
                    .filter(member -> member.stream().open())
                    .forEach(member -> reading.computeIfAbsent(member.stream().id(), stream -> member.kept()));
        }

        private void endOne() {
            List<String> open = new ArrayList<>(new TreeSet<>(reading.keySet()));
            if (!open.isEmpty()) {
                String stream = open.get(random.nextInt(open.size()));
                reading.remove(stream);
                propose(new CatalogCommand.EndMemberStream("default", "s", memberOf.get(stream), stream));
            }
        }

        /** The node has ended its streams before anyone gives it up. */
        private void expireNode(String node) {
            group().members().values().stream()
                    .filter(member -> member.stream().node().equals(node))
                    .forEach(member -> reading.remove(member.stream().id()));
            propose(new CatalogCommand.ExpireNode(node, image.memberLeases().getOrDefault(node, 0L)));
        }

        private void check() {
            List<Integer> held = group().members().values().stream()
                    .flatMap(member -> member.partitions().stream())
                    .toList();
            assertThat(held).doesNotHaveDuplicates();
            List<Integer> read =
                    reading.values().stream().flatMap(SortedSet::stream).toList();
            assertThat(read).doesNotHaveDuplicates();
        }

        /** Once streams end and come back, all is shared evenly and nothing changes any more. */
        private void settle() {
            join("m0", "n0", "last");
            memberOf.put("last", "m0");
            setReady(ALL);
            for (int round = 0; round < 12; round++) {
                for (GroupMember member : List.copyOf(group().members().values())) {
                    propose(new CatalogCommand.EndMemberStream(
                            "default", "s", member.name(), member.stream().id()));
                    join(member.name(), "n0", "round" + round + member.name());
                }
            }
            int members = group().members().size();
            int[] sizes = group().members().values().stream()
                    .mapToInt(member -> member.kept().size())
                    .sorted()
                    .toArray();
            assertThat(Arrays.stream(sizes).sum()).isEqualTo(ALL.size());
            assertThat(sizes[members - 1] - sizes[0]).isLessThanOrEqualTo(1);
        }
    }

    private ConsumerGroup group() {
        return image.subscription("default", "s").orElseThrow().group();
    }

    private GroupMember member(String name) {
        return group().members().get(name);
    }

    private long generation() {
        return image.subscription("default", "s").orElseThrow().generation();
    }

    private void setReady(SortedSet<Integer> partitions) {
        propose(new CatalogCommand.SetReady("default", "s", generation(), partitions));
    }

    private void join(String member, String node, String stream) {
        propose(new CatalogCommand.JoinGroup(
                "default", "s", member, new MemberStream(node, stream), generation(), ALL, 9));
    }

    private void seek(SortedSet<Integer> partitions) {
        TreeMap<Integer, Long> place = new TreeMap<>();
        partitions.forEach(partition -> place.put(partition, 1L));
        propose(new CatalogCommand.SeekSubscription("default", "s", new Cursor(place)));
    }

    private void ack(String member, long generation, int partition, long next) {
        propose(new CatalogCommand.CommitCursors(
                1, List.of(new CursorCommit("default", "s", member, generation, Cursor.of(partition, next)))));
    }

    private CatalogReply propose(CatalogCommand command) {
        version++;
        CatalogFold.Step step = CatalogFold.step(image, version, CatalogLimits.DEFAULTS, command);
        image = step.image();
        return step.reply();
    }
}
