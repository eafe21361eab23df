package dev.weir.ops.bench;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Subscribers spread over the nodes in turn, each with a thread of its own. */
final class Subscriptions implements AutoCloseable {
    private final List<SubscriptionReader> readers = new ArrayList<>();
    private final List<AtomicLong> counts = new ArrayList<>();
    private final Queue<String> ended = new ConcurrentLinkedQueue<>();

    /** Hears of each event of each subscriber, from the threads that read. */
    interface Listener {
        void event(int subscriber, byte[] line, int length);
    }

    private Subscriptions() {}

    /** All of them; when this returns every node has accepted its subscriptions. */
    static Subscriptions open(BenchTarget target, int subscribers, String query, Listener listener) throws IOException {
        Subscriptions all = new Subscriptions();
        List<URI> nodes = target.nodes();
        for (int i = 0; i < subscribers; i++) {
            int subscriber = i;
            AtomicLong count = new AtomicLong();
            StreamReader reader =
                    StreamReader.open(nodes.get(i % nodes.size()), query, target.token(), (line, length) -> {
                        listener.event(subscriber, line, length);
                        count.lazySet(count.get() + 1);
                    });
            all.start(reader, count);
        }
        return all;
    }

    /** Hears of each batch of each subscriber, from the threads that read. */
    interface BodyListener {
        void batch(int subscriber, byte[] body);
    }

    /** The same as Arrow record batches, whose rows are counted. */
    static Subscriptions openArrow(BenchTarget target, int subscribers, String query, Runnable listener)
            throws IOException {
        return openArrow(target, subscribers, query, listener, null);
    }

    /** The same as Arrow record batches, bodies and all. */
    static Subscriptions openArrow(BenchTarget target, int subscribers, String query, BodyListener listener)
            throws IOException {
        return openArrow(target, subscribers, query, () -> {}, listener);
    }

    private static Subscriptions openArrow(
            BenchTarget target, int subscribers, String query, Runnable batches, @Nullable BodyListener bodies)
            throws IOException {
        Subscriptions all = new Subscriptions();
        List<URI> nodes = target.nodes();
        for (int i = 0; i < subscribers; i++) {
            int subscriber = i;
            AtomicLong count = new AtomicLong();
            RecordBatchReader.Listener counting = new RecordBatchReader.Listener() {
                @Override
                public void batch(long rows) {
                    batches.run();
                    count.lazySet(count.get() + rows);
                }

                @Override
                public @Nullable Consumer<byte[]> bodies() {
                    return bodies == null ? null : body -> bodies.batch(subscriber, body);
                }
            };
            all.start(RecordBatchReader.open(nodes.get(i % nodes.size()), query, target.token(), counting), count);
        }
        return all;
    }

    private void start(SubscriptionReader reader, AtomicLong count) {
        readers.add(reader);
        counts.add(count);
        Thread.ofPlatform().daemon().name("subscriber-" + counts.size()).start(() -> read(reader));
    }

    private void read(SubscriptionReader reader) {
        try {
            reader.run();
            ended.add("the node ended the stream");
        } catch (IOException e) {
            ended.add(String.valueOf(e.getMessage()));
        }
    }

    /** Why streams have ended so far, which they do not by themselves before {@link #close}. */
    List<String> ended() {
        return List.copyOf(ended);
    }

    /** Events of each subscriber so far. */
    List<Long> counts() {
        return counts.stream().map(AtomicLong::get).toList();
    }

    /** Of all streams' bodies so far. */
    long bytes() {
        return readers.stream().mapToLong(SubscriptionReader::bytes).sum();
    }

    @Override
    public void close() throws IOException {
        for (SubscriptionReader reader : readers) {
            reader.close();
        }
    }
}
