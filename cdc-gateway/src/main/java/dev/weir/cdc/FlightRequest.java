package dev.weir.cdc;

import dev.weir.partition.model.ErrorCode;
import io.vertx.core.MultiMap;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Reads a ticket or command: {@code {"measurement":["cpu","mem"],"tag.host":"a","from":"earliest","max_rows":1000}}, the parameters of {@code GET /api/v1/cdc/stream}, each with a
 * text, a number or a list of them.
 */
final class FlightRequest {
    private static final String EXPECTED =
            "expected a JSON object of the stream's parameters, such as {\"measurement\":\"cpu\",\"from\":\"earliest\"}";

    private FlightRequest() {}

    /** @throws RequestRefused what the caller did wrong */
    static StreamRequest read(String tenant, byte[] json) {
        StreamRequest asked = StreamRequestParser.parse(
                tenant, StreamFormat.ARROW, parameters(new String(json, StandardCharsets.UTF_8)), null);
        ArrowOptions options = asked.arrow().orElseThrow().over(ArrowWire.FLIGHT);
        if (options.layout() == StreamLayout.TYPED) {
            throw bad(
                    "layout: typed streams change their schema, which Flight has one of a stream; expected full or fixed,"
                            + " or typed over HTTP");
        }
        return new StreamRequest(asked.key(), asked.start(), asked.delivery(), Optional.of(options));
    }

    private static MultiMap parameters(String json) {
        MultiMap parameters = MultiMap.caseInsensitiveMultiMap();
        JsonObject object = object(json);
        for (String name : object.fieldNames()) {
            Object value = object.getValue(name);
            for (Object each : value instanceof JsonArray array ? array : new JsonArray().add(value)) {
                if (!(each instanceof String) && !(each instanceof Integer) && !(each instanceof Long)) {
                    throw bad(name + ": expected a text, a number, or a list of them, found " + each);
                }
                parameters.add(name, each.toString());
            }
        }
        return parameters;
    }

    private static JsonObject object(String json) {
        try {
            return new JsonObject(json);
        } catch (DecodeException e) {
            throw bad(EXPECTED + ", found " + (json.isEmpty() ? "nothing" : json));
        }
    }

    private static RequestRefused bad(String message) {
        return RequestRefused.of(ErrorCode.BAD_REQUEST, "ticket: " + message);
    }
}
