package dev.weir.partition.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.store.FaultProxy.Fate;
import dev.weir.partition.store.ObjectStore.Put;
import dev.weir.partition.store.StoreException.Kind;
import dev.weir.wal.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Against a real S3 server, the way through a proxy that makes faults. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class S3StoreTest extends ObjectStoreContract {
    private static final Duration AHEAD = Duration.ofMinutes(20);
    private static final RetryConfig QUICK = new RetryConfig(
            Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofSeconds(10));
    private static final RetryConfig IMPATIENT = new RetryConfig(
            Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofMillis(700));

    @TempDir
    static Path folder;

    private S3Server server;
    private FaultProxy proxy;
    private int buckets;

    @BeforeAll
    void start() throws IOException {
        server = S3Server.start(folder);
        proxy = new FaultProxy(server.port());
    }

    @AfterAll
    void stop() throws IOException {
        proxy.close();
        server.close();
    }

    @Override
    ObjectStore store() throws Exception {
        return open(server.endpoint(), QUICK, S3Server.CREDENTIALS);
    }

    @Test
    void outlastsAServerThatAsksToSlowDown() throws Exception {
        ObjectStore store = faulty(QUICK);
        proxy.plan((method, target, number) ->
                number <= 12 ? new Fate.Answer(503, "SlowDown", Duration.ZERO) : FaultProxy.PASS);
        assertThat(store.put("k", file(100, 1))).isEqualTo(Put.STORED);
        assertThat(store.metrics().retries()).isEqualTo(12);
        assertThat(store.metrics().errors()).isEqualTo(12);
        assertThat(store.metrics().backoffMs()).isZero();
        assertThat(store.metrics().lastFailure().text())
                .contains("put k", "503 SlowDown (as planned)", "request PLANNED");
    }

    @Test
    void givesUpWhenTheBudgetIsSpent() throws Exception {
        ObjectStore store = faulty(QUICK.withBudget(Duration.ofMillis(100)));
        proxy.plan((method, target, number) -> new Fate.Answer(503, "SlowDown", Duration.ZERO));
        assertThatThrownBy(() -> store.put("k", file(100, 1)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE))
                .hasMessageContaining("put k: s3://")
                .hasMessageContaining("tries in");
        proxy.plan((method, target, number) -> FaultProxy.PASS);
        assertThat(store.put("k", file(100, 1))).as("heals by itself").isEqualTo(Put.STORED);
    }

    @Test
    void aPutWhoseAnswerWasLostIsFoundDone() throws Exception {
        ObjectStore store = faulty(IMPATIENT);
        proxy.plan((method, target, number) -> number == 1 ? new Fate.Silence() : FaultProxy.PASS);
        LocalFile file = file(100, 1);
        assertThat(store.put("k", file)).isEqualTo(Put.PRESENT);
        assertThat(read(store, "k", 0, 200)).hasSize(100);
        assertThat(store.metrics().lastFailure().text()).contains("no answer within 700 ms");
    }

    @Test
    void anUploadWhoseLastAnswerWasLostIsFoundDone() throws Exception {
        ObjectStore store = faulty(new RetryConfig(
                Duration.ofSeconds(60), Duration.ofMillis(1), Duration.ofMillis(10), Duration.ofMillis(1500)));
        CompletableFuture<String> lost = new CompletableFuture<>();
        proxy.plan((method, target, number) -> {
            boolean completes = method.equals("POST") && target.contains("uploadId=");
            return completes && lost.complete(target) ? new Fate.Silence() : FaultProxy.PASS;
        });
        LocalFile file = file(S3Config.PART_BYTES_MIN + 1, 1);
        store.put("k", file);
        assertThat(lost).isCompleted();
        assertThat(store.stat("k").orElseThrow().bytes()).isEqualTo(file.bytes());
        assertThat(store.sweepUnfinished(Instant.now().plusSeconds(60))).isZero();
    }

    @Test
    void aPartThatFailsIsSentAgainAlone() throws Exception {
        ObjectStore store = faulty(QUICK);
        List<String> parts = new CopyOnWriteArrayList<>();
        proxy.plan((method, target, number) -> {
            String part = target.replaceFirst(".*partNumber=([0-9]+).*", "$1");
            boolean isFirst = target.contains("partNumber=") && !parts.contains(part);
            parts.add(part);
            return isFirst && part.equals("2") ? new Fate.Answer(500, "InternalError", Duration.ZERO) : FaultProxy.PASS;
        });
        assertThat(store.put("k", file(S3Config.PART_BYTES_MIN + 1, 1))).isEqualTo(Put.STORED);
        assertThat(parts).containsOnlyOnce("1").containsSequence("2", "2");
    }

    @Test
    void anUploadThatFailsLeavesNoParts() throws Exception {
        ObjectStore store = faulty(QUICK.withBudget(Duration.ZERO));
        proxy.plan((method, target, number) ->
                target.contains("partNumber=2") ? new Fate.Answer(503, "SlowDown", Duration.ZERO) : FaultProxy.PASS);
        failsAs(Kind.UNAVAILABLE, () -> store.put("k", file(S3Config.PART_BYTES_MIN + 1, 1)));
        proxy.plan((method, target, number) -> FaultProxy.PASS);
        assertThat(store.stat("k")).isEmpty();
        assertThat(store.sweepUnfinished(Instant.now().plusSeconds(60))).isZero();
    }

    @Test
    void revokedRightsAreSaidAtOnceAndHeal() throws Exception {
        ObjectStore store = faulty(QUICK);
        proxy.plan((method, target, number) -> new Fate.Answer(403, "AccessDenied", Duration.ZERO));
        assertThatThrownBy(() -> store.put("k", file(100, 1)))
                .isInstanceOfSatisfying(StoreException.class, e -> {
                    assertThat(e.kind()).isEqualTo(Kind.DENIED);
                    assertThat(e.mayHeal()).isTrue();
                })
                .hasMessageContaining("403 AccessDenied");
        assertThat(store.metrics().retries()).isZero();
        proxy.plan((method, target, number) -> FaultProxy.PASS);
        assertThat(store.put("k", file(100, 1))).isEqualTo(Put.STORED);
    }

    @Test
    void wrongKeysAreDenied() throws Exception {
        ObjectStore store = open(server.endpoint(), QUICK, new S3Credentials("test-key", "wrong"));
        failsAs(Kind.DENIED, () -> store.put("k", file(100, 1)));
        failsAs(Kind.DENIED, store::probe);
    }

    @Test
    void aMissingBucketIsDenied() {
        ObjectStore store = new S3Store(
                new StoreConfig(URI.create("s3://nowhere"), s3(server.endpoint(), S3Server.CREDENTIALS), QUICK));
        failsAs(Kind.DENIED, () -> store.put("k", file(100, 1)));
    }

    @Test
    void aWrongClockIsNamedWithItsSize() throws Exception {
        ObjectStore store = faulty(QUICK.withBudget(Duration.ZERO));
        proxy.plan((method, target, number) -> new Fate.Answer(403, "RequestTimeTooSkewed", AHEAD));
        assertThatThrownBy(() -> store.put("k", file(100, 1)))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CLOCK_SKEW))
                .message()
                .matches("(?s).*RequestTimeTooSkewed.*the store's clock is (1200|1199) s ahead of this machine's.*");
        assertThat(store.metrics().clockSkewMs()).isBetween(AHEAD.toMillis() - 2000, AHEAD.toMillis() + 1000);
    }

    @Test
    void aClockThatWasWrongHealsWithoutRestart() throws Exception {
        ObjectStore store = faulty(QUICK);
        proxy.plan((method, target, number) ->
                number <= 3 ? new Fate.Answer(403, "RequestTimeTooSkewed", AHEAD) : FaultProxy.PASS);
        assertThat(store.put("k", file(100, 1))).isEqualTo(Put.STORED);
        assertThat(store.metrics().clockSkewMs()).isZero();
    }

    @Test
    void anInterruptEndsAWaitForAnAnswer() throws Exception {
        ObjectStore store = faulty(QUICK);
        CompletableFuture<String> arrived = new CompletableFuture<>();
        proxy.plan((method, target, number) -> {
            arrived.complete(target);
            return new Fate.Silence();
        });
        LocalFile file = file(100, 1);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread caller = Thread.ofPlatform().start(() -> {
            try {
                store.put("k", file);
                thrown.complete(new AssertionError("no interrupt"));
            } catch (StoreException | InterruptedException e) {
                thrown.complete(e);
            }
        });
        arrived.get(10, TimeUnit.SECONDS);
        caller.interrupt();
        assertThat(thrown.get(5, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void sweepsUploadsThatNobodyEnded() throws Exception {
        ObjectStore store = faulty(IMPATIENT.withBudget(Duration.ZERO));
        proxy.plan((method, target, number) -> target.contains("partNumber") || method.equals("DELETE")
                ? new Fate.Answer(500, "InternalError", Duration.ZERO)
                : FaultProxy.PASS);
        failsAs(Kind.UNAVAILABLE, () -> store.put("k", file(S3Config.PART_BYTES_MIN + 1, 1)));
        proxy.plan((method, target, number) -> FaultProxy.PASS);
        assertThat(store.sweepUnfinished(Instant.now().minusSeconds(600))).isZero();
        assertThat(store.sweepUnfinished(Instant.now().plusSeconds(60))).isEqualTo(1);
        assertThat(store.sweepUnfinished(Instant.now().plusSeconds(60))).isZero();
    }

    @Test
    void nobodyThereIsUnavailable() throws Exception {
        ObjectStore store = open(
                URI.create("http://127.0.0.1:" + FreePorts.next()),
                QUICK.withBudget(Duration.ofMillis(50)),
                S3Server.CREDENTIALS);
        failsAs(Kind.UNAVAILABLE, () -> store.stat("k"));
        Awaitility.await()
                .untilAsserted(
                        () -> assertThat(store.metrics().lastFailure().text()).contains("ConnectException"));
    }

    private ObjectStore faulty(RetryConfig retry) throws Exception {
        proxy.plan((method, target, number) -> FaultProxy.PASS);
        return open(proxy.endpoint(), retry, S3Server.CREDENTIALS);
    }

    private ObjectStore open(URI endpoint, RetryConfig retry, S3Credentials credentials) throws Exception {
        String bucket = "bucket" + buckets++;
        server.createBucket(bucket);
        return ObjectStore.open(
                new StoreConfig(URI.create("s3://" + bucket + "/some/prefix"), s3(endpoint, credentials), retry));
    }

    private static S3Config s3(URI endpoint, S3Credentials credentials) {
        return new S3Config(
                Optional.of(endpoint), "us-east-1", true, Optional.of(credentials), S3Config.PART_BYTES_MIN);
    }
}
