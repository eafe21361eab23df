package dev.weir.docker;

import dev.weir.partition.store.FaultProxy;
import dev.weir.partition.store.FaultProxy.Fate;
import dev.weir.partition.store.S3Server;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An S3 server with one bucket, behind a proxy that tells a test of data files on their way, before and after the server has seen them. */
final class S3Gate implements AutoCloseable {
    static final String BUCKET = "weir";

    private static final Fate SLOW_DOWN = new Fate.Answer(503, "SlowDown", Duration.ZERO);

    private final Pattern dataFile;
    private final String suffix;
    private final S3Server server;
    private final FaultProxy proxy;
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean slow;
    private volatile boolean sprung;
    private @Nullable Trap trap;

    /** When a request meets the trap. */
    enum Moment {
        BEFORE_THE_STORE,
        AFTER_THE_STORE
    }

    /**
     * Springs once.
     *
     * @param method of the requests for data files that it waits for
     * @param spring told of the file's partition; then the connection is cut
     */
    record Trap(String method, Moment moment, IntConsumer spring) {}

    S3Gate(Path folder) {
        this(folder, ".parquet");
    }

    /** @param suffix of the names of the files that it tells of */
    S3Gate(Path folder, String suffix) {
        this.suffix = suffix;
        this.dataFile = Pattern.compile("/p([0-9]+)-[^/?]*" + Pattern.quote(suffix));
        try {
            server = S3Server.start(folder);
            server.createBucket(BUCKET);
            proxy = new FaultProxy(server.port());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        proxy.plan((method, target, number) -> fate(method, target));
    }

    URI endpoint() {
        return proxy.endpoint();
    }

    /** From now on, until it springs. */
    synchronized void set(Trap next) {
        sprung = false;
        trap = next;
    }

    /** It has sprung, and what it does is done. */
    boolean hasSprung() {
        return sprung;
    }

    /** Answers every request with 503 SlowDown, or none. */
    void slowDown(boolean on) {
        slow = on;
    }

    /** Requests answered so. */
    int refused() {
        return refused.get();
    }

    /** Names of the data files that the server holds. */
    List<String> dataFiles() throws IOException {
        try (Stream<Path> files = Files.walk(server.bucket(BUCKET))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void close() throws IOException {
        proxy.close();
        server.close();
    }

    private synchronized Fate fate(String method, String target) {
        if (slow) {
            refused.incrementAndGet();
            return SLOW_DOWN;
        }
        Trap set = trap;
        Matcher file = dataFile.matcher(target);
        if (set == null || !set.method.equals(method) || !file.find()) {
            return FaultProxy.PASS;
        }
        trap = null;
        int partition = Integer.parseInt(file.group(1));
        return new Fate.Cut(set.moment == Moment.AFTER_THE_STORE, () -> {
            set.spring.accept(partition);
            sprung = true;
        });
    }
}
