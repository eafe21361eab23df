package dev.weir.cdc.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SseParserTest {
    private static final String STREAM = "\ufeff: hello\nretry: 2500\n\n"
            + "event: point_written\nid: B;0:2\ndata: {\"seq\":1,\"prev\":null,\"partition\":0}\n\n"
            + ": ka\n\n"
            + "event:checkpoint\nid:C\ndata:{}\n\n"
            + "data: one\ndata: zwei ☃ 𝄞\nunknown: x\nid\n\n"
            + "event: nothing\n\n"
            + "data\n\n"
            + "data: cut off";
    private static final List<SseFrame> FRAMES = List.of(
            new SseFrame("point_written", "B;0:2", "{\"seq\":1,\"prev\":null,\"partition\":0}"),
            new SseFrame("checkpoint", "C", "{}"),
            new SseFrame("message", "", "one\nzwei ☃ 𝄞"),
            new SseFrame("message", null, ""));

    @Test
    void readsTheSameFramesWhereverChunksEndAndWhateverEndsLines() {
        Random random = new Random(7);
        for (String lineEnd : List.of("\n", "\r\n", "\r")) {
            byte[] bytes = STREAM.replace("\n", lineEnd).getBytes(StandardCharsets.UTF_8);
            for (int round = 0; round < 200; round++) {
                List<SseFrame> frames = new ArrayList<>();
                SseParser parser = new SseParser(frames::add);
                int most = 1 + random.nextInt(30);
                for (int at = 0; at < bytes.length; ) {
                    int count = Math.min(bytes.length - at, 1 + random.nextInt(most));
                    parser.feed(bytes, at, count);
                    at += count;
                }
                assertThat(frames).isEqualTo(FRAMES);
                assertThat(parser.retryMs()).isEqualTo(2500);
                assertThat(parser.comments()).isEqualTo(2);
            }
        }
    }

    @Test
    void readsTheHeadOfAnEvent() {
        assertThat(ChangeHead.parse("{\"seq\":12,\"prev\":7,\"partition\":3,\"event_type\":\"x\"}"))
                .isEqualTo(new ChangeHead(3, 12, 7L));
        assertThat(ChangeHead.parse("{\"seq\":\"12\",\"prev\":null,\"partition\":3}"))
                .isEqualTo(new ChangeHead(3, 12, null));
        for (String bad :
                List.of("", "{}", "{\"seq\":x", "{\"seq\":1,\"prev\":2}", "{\"seq\":1,\"prev\":2,\"partition\":}")) {
            assertThatThrownBy(() -> ChangeHead.parse(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
