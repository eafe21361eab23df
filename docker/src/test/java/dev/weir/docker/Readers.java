package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.model.ChangeEvent;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/**
 * Readers of the change stream by every other way than plain Server-Sent Events: each carrier at least and at most once, a group whose members crash, snapshots, and
 * some that take nothing while the nodes' bounds are watched.
 */
final class Readers implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int MEMBERS = 3;
    private static final String SUBSCRIPTION = "/api/v1/cdc/subscriptions/" + GroupLedger.SUBSCRIPTION;

    private final LocalCluster cluster;
    private final List<CarrierFollower> carriers = new ArrayList<>();
    private final List<GroupMember> members = new ArrayList<>();
    private final GroupLedger group = new GroupLedger();
    private final SnapshotFollower snapshots;
    private final StalledReaders stalled;
    private final BoundsReader bounds;

    /**
     * @param acknowledged rows so far
     * @param absence of those that read at most once
     */
    Readers(LocalCluster cluster, IntSupplier acknowledged, Absence absence, long seed) {
        this.cluster = cluster;
        List<URI> nodes = cluster.urls().stream().map(URI::create).toList();
        subscribe();
        for (Carrier carrier : Carrier.values()) {
            String mode = carrier == Carrier.ARROW_TYPED ? "exactly-once" : "at-least-once";
            carriers.add(CarrierFollower.keeping(nodes, carrier, mode));
            carriers.add(CarrierFollower.lossy(nodes, carrier, absence));
        }
        for (int i = 1; i <= MEMBERS; i++) {
            members.add(new GroupMember(nodes, "m" + i, group, seed + i));
        }
        snapshots = new SnapshotFollower(nodes, acknowledged, seed);
        stalled = new StalledReaders(cluster);
        bounds = new BoundsReader(cluster);
        stalled.begin();
    }

    void leaderKilled() {
        snapshots.leaderKilled();
    }

    /** Waits, while writers write, until all that the readers are there for has happened to them. */
    void awaitItHappened(Duration patience) {
        await().atMost(patience).untilAsserted(this::checkItHappened);
    }

    private void checkItHappened() {
        carriers.forEach(CarrierFollower::checkItHappened);
        members.forEach(GroupMember::check);
        assertThat(group.leftBehind()).as("events left unacknowledged").isPositive();
        assertThat(group.again()).as("events handed out again").isPositive();
        snapshots.checkItHappened();
    }

    /** Until the test's end, and from when all nodes are ready, some readers at each take nothing. */
    void stall() {
        stalled.beginAndAwaitFull();
    }

    /** One that an earlier call made, whose answer was lost, is as good. */
    private void subscribe() {
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> {
                    int status = cluster.send(HttpRequest.newBuilder(URI.create(cluster.url(1) + SUBSCRIPTION))
                                    .PUT(BodyPublishers.ofString("{\"from\":\"earliest\"}")))
                            .statusCode();
                    return status == 201 || status == 200;
                });
    }

    /** Waits until all have everything. */
    void catchUp(long committed, Duration patience) {
        snapshots.close();
        members.forEach(GroupMember::calm);
        await().atMost(patience)
                .untilAsserted(() -> carriers.forEach(follower ->
                        assertThat(follower.accounted()).as("%s", follower).isEqualTo(committed)));
        await().atMost(patience).untilAsserted(() -> {
            members.forEach(GroupMember::check);
            assertThat(group.events()).as("events that the group has").isEqualTo(committed);
            assertThat(unacknowledged())
                    .as("events that it has not acknowledged")
                    .isZero();
        });
        closeStreams();
    }

    /** When no other client is left either. */
    void awaitNothingIsLeft() {
        bounds.awaitNothingIsLeft();
        bounds.close();
    }

    private long unacknowledged() throws IOException {
        return JSON.readTree(cluster.get(1, SUBSCRIPTION).body())
                .at("/lag/events")
                .asLong(-1);
    }

    /** @param log all events, by partition and seq */
    void check(List<ChangeEvent> log) {
        checkItHappened();
        assertThat(group.forgotten()).as("left unacknowledged").isEmpty();
        for (CarrierFollower follower : carriers) {
            if (!follower.isLossy()) {
                List<ChangeEvent> seen = new ArrayList<>(follower.events());
                seen.sort(Comparator.comparingInt(ChangeEvent::partition).thenComparingLong(ChangeEvent::seq));
                assertThat(seen)
                        .as("what the follower %s saw", follower)
                        .isEqualTo(log.stream().map(follower.carrier()::carried).toList());
            }
        }
        snapshots.check(log);
        bounds.check();
    }

    Stream<String> report() {
        return Stream.of(
                        carriers.stream().map(CarrierFollower::report),
                        members.stream().map(GroupMember::report),
                        Stream.of("group: " + group.events() + " events, " + group.leftBehind()
                                + " left unacknowledged, " + group.again() + " times handed out again"),
                        Stream.of(snapshots.report(), bounds.report()))
                .flatMap(lines -> lines);
    }

    @Override
    public void close() {
        bounds.close();
        closeStreams();
    }

    private void closeStreams() {
        stalled.close();
        snapshots.close();
        carriers.forEach(CarrierFollower::close);
        members.forEach(GroupMember::close);
    }
}
