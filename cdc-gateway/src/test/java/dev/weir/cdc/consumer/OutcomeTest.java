package dev.weir.cdc.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OutcomeTest {
    private static final String LOST =
            "{\"code\":\"cursor_too_old\",\"partition\":3,\"wanted_seq\":7,\"oldest_seq\":9,\"oldest_cursor\":\"AR\",\"error\":\"gone: \\\"x\\\" \\u00fc\"}";

    private static Outcome of(String event, String id, String data) {
        return Outcome.of(new SseFrame(event, id, data), 4);
    }

    @Test
    void eachFrameIsWhatItMeans() {
        assertThat(of("checkpoint", "AR", "{\"cursor\":\"AR\",\"next\":{\"0\":1}}"))
                .isEqualTo(new Outcome.Progress("AR", 4));
        String resolved = "{\"resolved_at\":\"2027-01-15T08:00:01Z\",\"partitions\":{\"0\":null}}";
        assertThat(of("resolved", "AR", resolved))
                .isEqualTo(new Outcome.Resolved("AR", "2027-01-15T08:00:01Z", resolved, 4));
        assertThat(of("resolved", "AR", "{\"resolved_at\":null,\"partitions\":{}}"))
                .isInstanceOfSatisfying(
                        Outcome.Resolved.class, none -> assertThat(none.all()).isEmpty());
        assertThat(of(
                        "gap",
                        "AR",
                        "{\"partition\":2,\"first_seq\":\"5\",\"last_seq\":9,\"count\":5,\"reason\":\"slow\"}"))
                .isEqualTo(new Outcome.Gap(2, 5, 9, "slow", "AR", 4));
        assertThat(of("snapshot_end", "AR", "{\"cursor\":\"AR\",\"next\":{\"0\":17,\"1\":4}}"))
                .isEqualTo(new Outcome.SnapshotEnd("AR", new TreeMap<>(Map.of(0, 17L, 1, 4L)), 4));
        assertThat(of("lost", null, LOST)).isEqualTo(new Outcome.Lost("cursor_too_old", "gone: \"x\" ü", "AR"));
        assertThat(of("refused", null, LOST)).isInstanceOf(Outcome.Lost.class);
        assertThat(of("refused", null, "{\"error\":\"full\",\"code\":\"overloaded\"}"))
                .isEqualTo(new Outcome.Refused("overloaded", "full"));
        assertThat(of("later", null, "x")).isInstanceOf(Outcome.Unknown.class);
    }

    @Test
    void changesSayWhereTheyWereRead() {
        for (Outcome.Source source : Outcome.Source.values()) {
            String data = "{\"seq\":1,\"prev\":null,\"partition\":0,\"source\":\"%s\"}"
                    .formatted(source.name().toLowerCase(java.util.Locale.ROOT));
            assertThat(of("point_written", "AR;0:2", data)).isInstanceOfSatisfying(Outcome.Change.class, change -> {
                assertThat(change.source()).isEqualTo(source);
                assertThat(change.head().isRow()).isEqualTo(source != Outcome.Source.LOG);
                assertThat(change.place()).isEqualTo("AR;0:2");
            });
        }
    }

    @Test
    void whatIsNoControlFrameIsRefused() {
        assertThatThrownBy(() -> of("gap", "AR", "{\"partition\":2}")).hasMessageContaining("first_seq");
        assertThatThrownBy(() -> of("checkpoint", null, "{}")).hasMessageContaining("expected an id");
        assertThatThrownBy(() -> of("lost", null, "[]")).hasMessageContaining("expected {");
        assertThatThrownBy(() -> of("lost", null, "{\"a\":" + "[".repeat(1000))).hasMessageContaining("at most 16");
    }

    @Test
    void damagedControlFramesNeverHangAndNeverFailOtherwise() {
        long seed = Long.getLong("weir.seed", System.nanoTime());
        System.out.println("control frames: seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder damaged = new StringBuilder(LOST);
            for (int i = random.nextInt(3); i >= 0; i--) {
                damaged.setCharAt(
                        random.nextInt(damaged.length()),
                        "{}[]\",:\\u0x ".charAt(random.nextInt("{}[]\",:\\u0x ".length())));
            }
            damaged.setLength(random.nextInt(damaged.length() + 1));
            try {
                ControlJson.object(damaged.toString());
            } catch (IllegalArgumentException refused) {
                assertThat(refused.getMessage()).isNotEmpty();
            }
        }
    }
}
