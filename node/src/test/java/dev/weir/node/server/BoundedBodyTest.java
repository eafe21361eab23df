package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests by hand: a body is answered while more of it is still to come. */
final class BoundedBodyTest {
    private RawServer server;

    @BeforeEach
    void open() throws Exception {
        server = new RawServer(router -> {
            new TicketRoute(null, null).mount(router);
            router.post("/json").handler(context -> Answers.withJson(context, 16, json -> context.json(json)));
        });
    }

    @AfterEach
    void close() throws Exception {
        server.close();
    }

    /** What is answered to the beginning of a body that goes on for a terabyte. */
    private String answer(String path, String beginning) throws Exception {
        return server.answerUpTo('}', "POST " + path, "Content-Length: 1000000000000\r\n", beginning);
    }

    @Test
    void aBodyThatIsTooLargeIsRefusedBeforeItIsRead() throws Exception {
        assertThat(answer("/api/v1/cdc/tickets", "x"))
                .startsWith("HTTP/1.1 400")
                .contains("expected none");
        assertThat(answer("/json", "{\"a\":\"0123456789\""))
                .startsWith("HTTP/1.1 413")
                .contains("at most 16 bytes");
    }
}
