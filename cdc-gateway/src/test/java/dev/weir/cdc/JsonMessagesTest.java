package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.buffer.Buffer;
import org.junit.jupiter.api.Test;

/** Messages to the letter, as FORMATS has them. */
class JsonMessagesTest {
    private static final String CHANGE =
            "event: point_written\nid: ARp;1:2\ndata: {\"seq\":1,\"text\":\"a: \\n☃\"}\n\n";

    @Test
    void makesAMessageOfEachFrame() {
        Buffer frames = Buffer.buffer(CHANGE + "event: resolved\ndata: {\"at\":1}\n\n" + CHANGE);

        assertThat(JsonMessages.of(frames))
                .containsExactly(
                        "{\"event\":\"point_written\",\"id\":\"ARp;1:2\",\"data\":{\"seq\":1,\"text\":\"a: \\n☃\"}}",
                        "{\"event\":\"resolved\",\"data\":{\"at\":1}}",
                        "{\"event\":\"point_written\",\"id\":\"ARp;1:2\",\"data\":{\"seq\":1,\"text\":\"a: \\n☃\"}}");
    }

    @Test
    void makesAPingOfAComment() {
        Buffer frames = SseText.KEEP_ALIVE.copy().appendString("event: checkpoint\nid: c\ndata: {}\n\n");

        assertThat(JsonMessages.of(frames))
                .containsExactly(JsonMessages.PING, "{\"event\":\"checkpoint\",\"id\":\"c\",\"data\":{}}");
    }

    @Test
    void opensWithTheVersionAndTheStart() {
        assertThat(JsonMessages.opening("ARp", null, 2305))
                .isEqualTo("{\"event\":\"open\",\"data\":{\"version\":1,\"cursor\":\"ARp\",\"retry_ms\":2305}}");
    }
}
