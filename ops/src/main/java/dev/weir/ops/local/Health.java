package dev.weir.ops.local;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.Answer;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.CommandFailedException;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a node says of itself at {@code /health/ready}.
 *
 * @param url where it answered; empty where it does not
 * @param causes why it is not ready
 */
record Health(Optional<String> url, boolean ready, List<String> causes) {
    static Health ask(ClusterClient client) {
        try {
            Answer answer = client.call("GET", "/health/ready", BodyPublishers.noBody(), Map.of());
            List<String> causes = new ArrayList<>();
            for (JsonNode cause : answer.json().path("causes")) {
                causes.add(cause.isTextual() ? cause.asText() : cause.toString());
            }
            return new Health(Optional.of(answer.from()), answer.status() == 200, causes);
        } catch (CommandFailedException e) {
            return new Health(Optional.empty(), false, List.of("does not answer HTTP yet: " + e.getMessage()));
        }
    }
}
