package dev.weir.ops.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * What a node answered.
 *
 * @param from the address that answered
 * @param retryAfterSeconds the header Retry-After, 0 where there is none
 * @param commit the header Weir-Commit
 */
public record Answer(String from, int status, String body, int retryAfterSeconds, Optional<String> commit) {

    public boolean ok() {
        return status < 400;
    }

    /** The body as JSON; a missing node where it is empty or no JSON. */
    public JsonNode json() {
        return Json.parsed(body);
    }

    /** This answer where it is a good one. */
    public Answer orFail() {
        if (ok()) {
            return this;
        }
        if (status == 504) {
            throw CommandFailedException.timedOut(from + " answered 504: " + reason());
        }
        throw CommandFailedException.refused(from + " answered " + status + ": " + reason());
    }

    /** The words of a refusal. */
    public String reason() {
        JsonNode json = json();
        String error = json.path("error").asText("");
        if (error.isEmpty()) {
            return body.isBlank() ? "no reason given" : body.strip();
        }
        String code = json.path("code").asText("");
        return code.isEmpty() ? error : error + " (" + code + ")";
    }
}
