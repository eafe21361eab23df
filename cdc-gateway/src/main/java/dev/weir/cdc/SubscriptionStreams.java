package dev.weir.cdc;

import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.SubscriptionRecord;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The open streams of subscriptions on this node. Ends those whose subscription was moved, made again, deleted, or is read by a group now, so that their clients come back to where
 * it stands now. Threading: any; never blocks.
 */
final class SubscriptionStreams {
    private final Map<OpenStream, SubscriptionRecord> open = new ConcurrentHashMap<>();

    int size() {
        return open.size();
    }

    /** Follows a stream of the subscription. */
    StreamWatch watch(SubscriptionRecord subscription, Runnable checkAgain) {
        return new StreamWatch() {
            @Override
            public Map<String, String> headers() {
                return Map.of(GENERATION, Long.toString(subscription.generation()));
            }

            @Override
            public void opened(OpenStream stream) {
                open.put(stream, subscription);
                // The subscription may have been moved while the stream was opened.
                checkAgain.run();
            }

            @Override
            public void ended(OpenStream stream) {
                open.remove(stream);
            }
        };
    }

    /** Called with each new image: asks streams to end, and no more. */
    void check(CatalogImage image) {
        open.forEach((stream, subscription) -> {
            boolean same = image.subscription(subscription.tenant(), subscription.name())
                    .map(now -> now.generation() == subscription.generation()
                            && now.group().members().isEmpty())
                    .orElse(false);
            if (!same) {
                stream.stop();
            }
        });
    }
}
