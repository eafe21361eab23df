package dev.weir.ops.local;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.Answer;
import dev.weir.ops.client.ClusterClient;
import dev.weir.ops.client.CommandFailedException;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a node says of itself at {@code /health/ready}.
 *
 * @param causes why it is not ready
 */
record Health(boolean answers, boolean ready, List<String> causes) {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    static Health of(URI node) {
        try (ClusterClient client = new ClusterClient(List.of(node), Optional.empty(), PATIENCE)) {
            return ask(client);
        }
    }

    static Health ask(ClusterClient client) {
        try {
            Answer answer = client.call("GET", "/health/ready", BodyPublishers.noBody(), Map.of());
            List<String> causes = new ArrayList<>();
            for (JsonNode cause : answer.json().path("causes")) {
                causes.add(cause.isTextual() ? cause.asText() : cause.toString());
            }
            return new Health(true, answer.status() == 200, causes);
        } catch (CommandFailedException e) {
            return new Health(false, false, List.of("does not answer HTTP yet"));
        }
    }
}
