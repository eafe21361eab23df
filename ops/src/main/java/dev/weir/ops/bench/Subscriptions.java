package dev.weir.ops.bench;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Subscribers spread over the nodes in turn, each with a thread of its own. */
final class Subscriptions implements AutoCloseable {
    private final List<StreamReader> readers = new ArrayList<>();
    private final List<AtomicLong> counts = new ArrayList<>();

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
            all.readers.add(reader);
            all.counts.add(count);
            Thread.ofPlatform().daemon().name("subscriber-" + i).start(() -> read(reader));
        }
        return all;
    }

    private static void read(StreamReader reader) {
        try {
            reader.run();
        } catch (IOException ended) {
            return; // closed by us, or by the node: the counts tell whether it came too early
        }
    }

    /** Events of each subscriber so far. */
    List<Long> counts() {
        return counts.stream().map(AtomicLong::get).toList();
    }

    @Override
    public void close() throws IOException {
        for (StreamReader reader : readers) {
            reader.close();
        }
    }
}
