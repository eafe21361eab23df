package dev.weir.node.cluster;

import dev.weir.partition.catalog.NodeRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks other nodes while this one starts. Blocks; called by the boot's thread. */
final class PeerQuestions {
    private static final long ANSWER_TIMEOUT_MS = 3_000;
    /** Each answer ends by its own time-out, which on a busy machine comes a little late. */
    private static final long GUARD_MS = 60_000;

    private final JoinClient client;
    private final String clusterName;
    private final NodeRecord self;

    PeerQuestions(JoinClient client, String clusterName, NodeRecord self) {
        this.client = client;
        this.clusterName = clusterName;
        this.self = self;
    }

    /** Asks all at once; the answers of those that were reached, by address. */
    Map<String, JoinMessages.Answer> look(Collection<String> httpAddresses) throws InterruptedException {
        return ask(httpAddresses, false);
    }

    void add(String httpAddress) throws InterruptedException {
        ask(List.of(httpAddress), true);
    }

    private Map<String, JoinMessages.Answer> ask(Collection<String> addresses, boolean add)
            throws InterruptedException {
        byte[] request = JoinMessages.encode(new JoinMessages.Request(add, clusterName, self));
        List<String> asked = new ArrayList<>(addresses);
        List<CompletableFuture<Optional<JoinMessages.Answer>>> answers = new ArrayList<>();
        for (String address : asked) {
            answers.add(client.ask(address, request)
                    .thenApply(bytes -> Optional.of(JoinMessages.decodeAnswer(bytes)))
                    .toCompletableFuture()
                    .completeOnTimeout(Optional.empty(), ANSWER_TIMEOUT_MS, TimeUnit.MILLISECONDS)
                    .exceptionally(failure -> Optional.empty()));
        }
        Map<String, JoinMessages.Answer> reached = new LinkedHashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            String address = asked.get(i);
            Stages.get(answers.get(i), GUARD_MS).ifPresent(answer -> reached.put(address, answer));
        }
        return reached;
    }
}
