package dev.weir.ops.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.ops.FakeCluster;
import dev.weir.ops.bench.LoadRun.Outcome;
import dev.weir.ops.bench.LoadRun.Traffic;
import dev.weir.ops.client.CommandFailedException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LoadRunTest {
    private static final String PATH = "/api/v2/write";

    private FakeCluster cluster;
    private final Set<Integer> acknowledged = new ConcurrentSkipListSet<>();

    @BeforeEach
    void start() throws IOException {
        cluster = new FakeCluster();
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void everyBodyIsAcknowledgedOnceAlsoWhenRefusedForNow() throws InterruptedException {
        cluster.reply("POST " + PATH, 503, "{\"error\":\"later\"}").reply("POST " + PATH, 204, "");

        Outcome outcome = new LoadRun(bodies(50), traffic(Duration.ZERO)).run();

        assertThat(acknowledged).hasSize(50);
        assertThat(outcome.acknowledged().count()).isEqualTo(50);
        assertThat(outcome.sentAgain()).isEqualTo(1);
        assertThat(cluster.requests()).hasSize(51);
    }

    @Test
    void openLoopKeepsItsPace() throws InterruptedException {
        cluster.reply("POST " + PATH, 204, "");

        Outcome outcome = new LoadRun(bodies(100), traffic(Duration.ofMillis(5))).run();

        assertThat(outcome.seconds()).isGreaterThan(0.45);
    }

    @Test
    void aRefusalEndsTheRun() {
        cluster.reply("POST " + PATH, 401, "{}");

        assertThatThrownBy(() -> new LoadRun(bodies(3), traffic(Duration.ZERO)).run())
                .isInstanceOf(CommandFailedException.class)
                .hasMessageContaining("answered 401");
    }

    private Traffic traffic(Duration interval) {
        return new Traffic(
                List.of(URI.create(cluster.url())),
                PATH,
                Optional.empty(),
                Duration.ofSeconds(10),
                3,
                interval,
                new LoadRun.Observer() {
                    @Override
                    public void sending(int body, long dueNanos) {}

                    @Override
                    public void acknowledged(int body, long nanos) {
                        acknowledged.add(body);
                    }
                });
    }

    private static List<byte[]> bodies(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> ("m v=" + i + " " + i + "\n").getBytes(StandardCharsets.UTF_8))
                .toList();
    }
}
