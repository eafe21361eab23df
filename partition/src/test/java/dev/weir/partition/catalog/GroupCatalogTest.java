package dev.weir.partition.catalog;

import static dev.weir.partition.catalog.CatalogSamples.agree;
import static dev.weir.partition.catalog.CatalogSamples.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.RefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GroupCatalogTest {
    private static final List<String> NODES = List.of("n1", "n2", "n3");

    @TempDir
    Path folder;

    private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    private final TinyCluster cluster = new TinyCluster();
    private final Map<String, TinyCluster.Host> hosts = new HashMap<>();
    private final Map<String, GroupCatalog> catalogs = new HashMap<>();
    private Optional<String> hint = Optional.empty();

    @BeforeEach
    void start() {
        for (String id : NODES) {
            CatalogState state = new CatalogState(node -> new CompletableFuture<>());
            hosts.put(id, cluster.add(id, folder.resolve(id), state));
            GroupCatalogConfig config = new GroupCatalogConfig(
                    id, Duration.ofMillis(600), Duration.ofMillis(150), 16, CatalogLimits.DEFAULTS);
            GroupCatalog catalog = new GroupCatalog(
                    hosts.get(id), state, (to, bytes) -> forward(to, bytes), timer, config, () -> hint);
            catalog.bind(TinyCluster.GROUP);
            catalogs.put(id, catalog);
        }
        cluster.lead("n2");
        propose("n2", CatalogSamples.birth());
    }

    @AfterEach
    void stop() {
        timer.shutdownNow();
    }

    @Test
    void anyNodeProposesAndSeesTheEffectAtOnce() {
        for (String id : NODES) {
            propose(id, new CatalogCommand.CreateTenant("tenant-" + id));
            assertThat(catalogs.get(id).image().tenants()).containsKey("tenant-" + id);
        }
    }

    @Test
    void waitsForTheLocalImage() {
        hosts.get("n1").applies(false);

        CompletableFuture<CatalogReply> proposed = catalogs.get("n1")
                .propose(new CatalogCommand.CreateTenant("late"))
                .toCompletableFuture();
        assertThat(catalogs.get("n2").image().tenants()).containsKey("late");
        assertThat(proposed).isNotDone();

        hosts.get("n1").applies(true);
        assertThat(proposed).succeedsWithin(10, TimeUnit.SECONDS);
        assertThat(catalogs.get("n1").image().tenants()).containsKey("late");
    }

    @Test
    void wrongHintCostsOnlyTime() {
        hint = Optional.of("n3");
        hosts.get("n3").reachable(false);

        propose("n1", new CatalogCommand.CreateTenant("t"));
    }

    @Test
    void followsTheLeaderWhileItMoves() {
        CompletionStage<CatalogReply> proposed = noLeaderThen("n1", "n3");

        assertThat(proposed.toCompletableFuture()).succeedsWithin(10, TimeUnit.SECONDS);
    }

    @Test
    void lostAnswersShowNoFalseConflict() {
        cluster.loseAnswers(true);
        CompletableFuture<CatalogReply> proposed = catalogs.get("n1")
                .propose(new CatalogCommand.CreateTenant("once"))
                .toCompletableFuture();
        cluster.loseAnswers(false);

        assertThat(proposed).succeedsWithin(10, TimeUnit.SECONDS).isInstanceOf(CatalogReply.Done.class);
        assertThat(cluster.length()).isGreaterThan(2);
        assertThatThrownBy(() -> propose("n1", new CatalogCommand.CreateTenant("once")))
                .cause()
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.CONFLICT));
    }

    @Test
    void withoutALeaderSaysNoQuorum() {
        cluster.lead("");

        assertThatThrownBy(() -> propose("n1", agree("cpu", tag("a"))))
                .cause()
                .isInstanceOfSatisfying(RefusedException.class, refused -> {
                    assertThat(refused.refusal().code()).isEqualTo(ErrorCode.NO_QUORUM);
                    assertThat(refused.refusal().message())
                            .startsWith("no quorum: the catalog's leader does not answer");
                });
        assertThatThrownBy(() ->
                        catalogs.get("n1").linearize().toCompletableFuture().join())
                .cause()
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.NO_QUORUM));
        assertThat(catalogs.get("n1").pending()).isZero();
    }

    @Test
    void hangingNodeIsGivenUp() {
        hint = Optional.of("black-hole");

        propose("n1", new CatalogCommand.CreateTenant("t"));
    }

    @Test
    void linearizeBringsTheLocalImageUpToDate() {
        hosts.get("n1").applies(false);
        propose("n2", new CatalogCommand.CreateTenant("t"));
        hosts.get("n1").applies(true);

        assertThat(catalogs.get("n1").linearize().toCompletableFuture()).succeedsWithin(10, TimeUnit.SECONDS);
        assertThat(catalogs.get("n1").image().tenants()).containsKey("t");
    }

    @Test
    void unboundCatalogIsStarting() {
        CatalogState state = new CatalogState(node -> new CompletableFuture<>());
        GroupCatalog starting = new GroupCatalog(
                hosts.get("n1"), state, this::forward, timer, GroupCatalogConfig.defaults("n1"), Optional::empty);

        assertThatThrownBy(() -> starting.linearize().toCompletableFuture().join())
                .cause()
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.STARTING));
        assertThat(CatalogAnswerCodec.decode(
                        starting.answer(new byte[0]).toCompletableFuture().join()))
                .isInstanceOf(CatalogAnswerCodec.Answer.TryAgain.class);
    }

    @Test
    void forwardedRubbishNeverReachesTheLog() {
        int before = cluster.length();

        byte[] answer = catalogs.get("n2")
                .answer(new byte[] {1, 2, 3})
                .toCompletableFuture()
                .join();

        assertThat(CatalogAnswerCodec.decode(answer)).isInstanceOf(CatalogAnswerCodec.Answer.Replied.class);
        assertThat(cluster.length()).isEqualTo(before);
    }

    @Test
    void tooManyWaitingProposalsAreRefused() {
        cluster.lead("");
        for (int i = 0; i < 16; i++) {
            catalogs.get("n1").propose(agree("cpu", tag("a")));
        }

        assertThatThrownBy(() -> propose("n1", agree("cpu", tag("a"))))
                .cause()
                .isInstanceOfSatisfying(
                        RefusedException.class,
                        refused -> assertThat(refused.refusal().code()).isEqualTo(ErrorCode.OVERLOADED));
    }

    private CompletionStage<CatalogReply> noLeaderThen(String proposer, String leader) {
        cluster.lead("");
        CompletionStage<CatalogReply> proposed = catalogs.get(proposer).propose(new CatalogCommand.CreateTenant("x"));
        cluster.lead(leader);
        return proposed;
    }

    private CompletionStage<byte[]> forward(String to, byte[] bytes) {
        if (to.equals("black-hole")) {
            return new CompletableFuture<>();
        }
        if (!hosts.get(to).reachable()) {
            return CompletableFuture.failedFuture(new IOException("connection refused"));
        }
        return catalogs.get(to).answer(bytes);
    }

    private CatalogReply propose(String node, CatalogCommand command) {
        return catalogs.get(node).propose(command).toCompletableFuture().join();
    }
}
