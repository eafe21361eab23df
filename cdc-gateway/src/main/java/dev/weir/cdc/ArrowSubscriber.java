package dev.weir.cdc;

import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One open stream of record batches. Reads by itself from the log, batches by way of the cache that all streams of this form share; so nothing is kept for it
 * but its position and what is on its way to the socket.
 *
 * <p>Every batch, and every gap that the mode of delivery allows, lies at {@link #position}, so within the connection nothing is sent twice or left out. The end-of-stream mark goes out only when the
 * server ends the stream by itself (and, in typed streams, before another schema); otherwise the connection is cut without one.
 */
final class ArrowSubscriber implements OpenStream {
    private static final long TROUBLE_NANOS = Duration.ofMillis(200).toNanos();
    /** About what the head of a batch takes. */
    private static final int HEAD_BYTES = 1024;

    private final ArrowForm form;
    private final ArrowWire wire;
    private final CdcConfig config;
    private final Subscriber.Shared shared;
    private final StreamSink sink;
    private final Signal signal;
    private final Gathering gathering;
    private final Backlog backlog;
    private final Map<Integer, Long> prev = new HashMap<>();
    private final CdcMetrics.Stream metrics;
    private final @Nullable ResolvedTimes resolved;

    private IpcSchema schema;
    private boolean isOpen;
    private volatile Position position;
    private volatile boolean stopping;
    /** When something has to be sent again. */
    private long beatAt;

    ArrowSubscriber(
            StreamRequest asked,
            ArrowOptions options,
            Position start,
            CdcConfig config,
            Subscriber.Shared shared,
            StreamSink sink,
            Signal signal) {
        this.form = options.form(asked.key());
        this.wire = options.wire();
        this.gathering = Gathering.of(options, asked.delivery());
        this.backlog = new Backlog(asked.delivery());
        this.position = start;
        this.config = config;
        this.shared = shared;
        this.sink = sink;
        this.signal = signal;
        this.metrics = shared.metrics().stream();
        this.resolved = shared.resolvedTimes(asked);
        this.schema = shared.arrowPages().opening(form);
    }

    /** The response has begun already, and stands under this schema. Called before {@link #run}. */
    ArrowSubscriber goingOn(IpcSchema sent) {
        schema = sent;
        isOpen = true;
        return this;
    }

    @Override
    public void stop() {
        stopping = true;
        signal.raise();
        sink.wake();
    }

    @Override
    public Position position() {
        return position;
    }

    @Override
    public boolean drops() {
        return backlog.drops();
    }

    @Override
    public long pendingBytes() {
        return sink.pendingBytes();
    }

    @Override
    public void run() {
        boolean inOrder = false;
        try {
            if (resolved != null) {
                resolved.look(position);
            }
            if (!isOpen) {
                open();
            }
            read();
            if (sink.isOpen()) {
                sendEmpty();
                wire.end().ifPresent(sink::send);
                inOrder = true;
            }
        } catch (LostException lost) {
            shared.metrics().lost();
            sink.send(wire.empty(schema, Map.of("weir.lost", lost(lost))));
        } finally {
            if (inOrder) {
                sink.end();
            } else {
                sink.cut();
            }
        }
    }

    private void open() {
        send(wire.opening(schema));
        if (wire.tellsStart()) {
            sendEmpty();
        }
    }

    private boolean goesOn() {
        return sink.isOpen() && !stopping;
    }

    private void read() throws LostException {
        try (FeedSet feeds = new FeedSet(shared.directory(), signal)) {
            MergeReader<ArrowPage> reader =
                    new MergeReader<>(feeds, shared.arrowPages().source(form));
            boolean waiting = true;
            while (goesOn()) {
                beat();
                if (!sink.hasRoom()) {
                    sink.awaitRoom(dueAt());
                    if (!backlog.drops()) {
                        reader.checkKept(position);
                    }
                    continue;
                }
                if (feeds.takeChanged() || waiting) {
                    Lineage.Extension extension =
                            shared.lineage().extend(position, form.key().filter());
                    position = extension.position();
                    waiting = extension.waiting();
                }
                long now = System.nanoTime();
                long wait = gathering.waitNanos(position, feeds, now);
                Gap gap = backlog.excess(position, feeds);
                if (gap != null) {
                    leaveOut(gap);
                    continue;
                }
                ArrowPage page;
                try {
                    page = wait > 0 ? null : reader.nextPage(position, null);
                } catch (LostException lost) {
                    leaveOut(backlog.gap(lost));
                    continue;
                }
                if (page != null) {
                    take(page);
                    continue;
                }
                long until = wait > 0 ? now + wait : dueAt();
                boolean trouble = feeds.takeMissing() || waiting;
                signal.await(Math.min(dueAt(), trouble ? Math.min(until, now + TROUBLE_NANOS) : until));
            }
        }
    }

    private void leaveOut(Gap gap) {
        position = position.with(gap.partition(), gap.last() + 1);
        sendEmpty("weir.gap", gap.json(form.key().int64AsString()));
        shared.metrics().dropped(gap.count());
    }

    /** One batch of the page, the one that begins where this stream stands; the rest of it is asked for again. */
    private void take(ArrowPage page) {
        int partition = page.partition();
        ArrowPage.Batch batch = page.batchAt(position.next(partition));
        if (batch == null) {
            position = position.with(partition, page.nextSeq());
            return;
        }
        position = position.with(partition, batch.nextSeq());
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put("weir.cursor", cursor());
        metadata.put("weir.partition", Integer.toString(partition));
        Long before = prev.put(partition, batch.lastSeq());
        if (before != null) {
            metadata.put("weir.prev", Long.toString(before));
        }
        Buffer bytes = bytes(batch, metadata);
        send(bytes);
        metrics.sent(batch.body().rows(), bytes.length());
    }

    /** The batch, its dictionaries before it; where it has another schema than the last, that stream ends and another begins. */
    private Buffer bytes(ArrowPage.Batch batch, Map<String, String> metadata) {
        Buffer bytes = Buffer.buffer((int) batch.weight() + HEAD_BYTES);
        if (!batch.schema().equals(schema)) {
            schema = batch.schema();
            wire.end().ifPresent(bytes::appendBuffer);
            wire.opening(bytes, schema);
        }
        wire.batch(bytes, batch.dictionaries(), batch.body(), metadata);
        return bytes;
    }

    /** When something has to be said though nothing comes. */
    private long dueAt() {
        return resolved == null ? beatAt : Math.min(beatAt, resolved.dueAt());
    }

    private void tellResolved() {
        if (resolved == null || System.nanoTime() - resolved.dueAt() < 0) {
            return;
        }
        resolved.look(position);
        if (sink.hasRoom()) {
            sendEmpty("weir.resolved", resolved.json());
        }
    }

    /** An empty batch with the cursor where nothing was sent for a heartbeat. */
    private void beat() {
        tellResolved();
        long now = System.nanoTime();
        if (now - beatAt < 0) {
            return;
        }
        if (sink.hasRoom()) {
            sendEmpty();
        } else {
            beatAt = now + config.heartbeat().toNanos();
        }
    }

    private void sendEmpty() {
        send(wire.empty(schema, Map.of("weir.cursor", cursor())));
    }

    /** What there is to say behind the position. */
    private void sendEmpty(String name, String value) {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put("weir.cursor", cursor());
        metadata.put(name, value);
        send(wire.empty(schema, metadata));
    }

    private void send(Buffer bytes) {
        sink.send(bytes);
        beatAt = System.nanoTime() + config.heartbeat().toNanos();
    }

    private String cursor() {
        return position.encode(form.key().filter().tenant());
    }

    private String lost(LostException lost) {
        return SseText.lostJson(lost, shared.oldestCursor().apply(form.key().filter()));
    }
}
