package dev.weir.cdc;

import dev.weir.cdc.SharedRun.Target;
import dev.weir.partition.feed.FeedDirectory;
import io.vertx.core.buffer.Buffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One open stream. Runs on a virtual thread of its own, which alternates between two ways of reading:
 *
 * <pre>
 *   read back: by itself, from the log, up to where the shared run stands   ──at its border──▶  follow: blocks of the shared run
 *              ◀──fell out of the ring, or the run ended──
 * </pre>
 *
 * Both move {@link #position}, and every event sent lies at it; so within the connection nothing is sent twice or left out. What the mode of delivery
 * allows to leave out is reported as a gap that lies at it likewise.
 */
final class Subscriber implements OpenStream {
    private static final long TROUBLE_NANOS = Duration.ofMillis(200).toNanos();

    private final RunKey key;
    private final CdcConfig config;
    private final Shared shared;
    private final Backlog backlog;
    private final StreamSink sink;
    private final Signal signal;
    private final Map<Integer, Long> prev = new HashMap<>();
    private final CdcMetrics.Stream metrics;
    private final @Nullable ResolvedTimes resolved;

    private volatile Position position;
    private volatile @Nullable Place place;
    private volatile boolean stopping;
    private @Nullable Position told;
    private boolean quiet = true;
    private long beatAt;

    /** Where it is in the run that it follows. */
    private record Place(SharedRun run, long index) {}

    /** What all streams of a node share. */
    record Shared(
            FeedDirectory directory,
            Lineage lineage,
            Runs runs,
            PageCache<RunKey, EncodedPage> pages,
            ArrowPages arrowPages,
            CatchUpPace pace,
            Resolving resolving,
            CdcMetrics metrics,
            Function<StreamFilter, String> oldestCursor) {
        /** Null where the stream does not want to know. */
        @Nullable
        ResolvedTimes resolvedTimes(StreamRequest asked) {
            return asked.delivery()
                    .resolvedEvery()
                    .map(every ->
                            new ResolvedTimes(lineage, resolving, asked.key().filter(), every))
                    .orElse(null);
        }
    }

    Subscriber(StreamRequest asked, Position start, CdcConfig config, Shared shared, StreamSink sink, Signal signal) {
        this.key = asked.key();
        this.position = start;
        this.backlog = new Backlog(asked.delivery());
        this.config = config;
        this.shared = shared;
        this.sink = sink;
        this.signal = signal;
        this.metrics = shared.metrics().stream();
        this.resolved = shared.resolvedTimes(asked);
    }

    /** Asks for a graceful end: a checkpoint, then the end of the response. Any thread. */
    @Override
    public void stop() {
        stopping = true;
        signal.raise();
        sink.wake();
    }

    /** What the run has passed over is not waited for. */
    @Override
    public Position position() {
        Place now = place;
        Position there = now == null ? null : now.run.positionAt(now.index);
        return there == null ? position : there;
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
        beatAt = System.nanoTime() + config.heartbeat().toNanos();
        boolean inOrder = false;
        try {
            if (resolved != null) {
                resolved.look(position);
            }
            while (goesOn()) {
                Target border = readBack();
                if (border != null) {
                    follow(border);
                }
            }
            if (sink.isOpen()) {
                sink.send(SseText.checkpoint(position, key.filter().tenant()));
            }
            inOrder = true;
        } catch (LostException lost) {
            shared.metrics().lost();
            sink.send(SseText.lost(lost, shared.oldestCursor().apply(key.filter())));
        } finally {
            if (inOrder) {
                sink.end();
            } else {
                sink.endShort();
            }
        }
    }

    private boolean goesOn() {
        return sink.isOpen() && !stopping;
    }

    /** Reads by itself until it stands at a border of the shared run, of which it then is a member; null at the end of the stream. */
    private @Nullable Target readBack() throws LostException {
        try (FeedSet feeds = new FeedSet(shared.directory(), signal)) {
            MergeReader<EncodedPage> reader = new MergeReader<>(
                    feeds,
                    new SharedPages<>(
                            shared.pages(), key, config.pageBytes(), shared.pace(), () -> new FrameEncoder(key)));
            Target target = null;
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
                    Lineage.Extension extension = shared.lineage().extend(position, key.filter());
                    position = extension.position();
                    waiting = extension.waiting();
                }
                Gap gap = backlog.excess(position, feeds);
                if (gap != null) {
                    leaveOut(gap);
                    continue;
                }
                if (target == null || !position.notAfter(target.position())) {
                    target = shared.runs().target(key, position);
                }
                EncodedPage page;
                try {
                    page = reader.nextPage(position, target == null ? null : target.position());
                } catch (LostException lost) {
                    leaveOut(backlog.gap(lost));
                    continue;
                }
                if (page != null) {
                    send(page, target);
                    continue;
                }
                boolean trouble = feeds.takeMissing() || waiting;
                if (target == null && !trouble) {
                    target = shared.runs().start(key, position, prev, signal);
                    if (target != null) {
                        return target;
                    }
                } else if (target != null && position.equals(target.position())) {
                    if (target.run().join(target.index(), signal)) {
                        return target;
                    }
                    target = null;
                    continue;
                }
                target = null;
                signal.await(Math.min(dueAt(), System.nanoTime() + (trouble ? TROUBLE_NANOS : Long.MAX_VALUE / 4)));
            }
            return null;
        }
    }

    private void leaveOut(Gap gap) {
        position = position.with(gap.partition(), gap.last() + 1);
        told = position;
        quiet = false;
        sink.send(SseText.gap(gap, position, key));
        shared.metrics().dropped(gap.count());
    }

    private void send(EncodedPage page, @Nullable Target target) {
        int partition = page.partition();
        long below = target == null ? Long.MAX_VALUE : target.position().next(partition);
        byte[] base = page.frames() == 0
                ? new byte[0]
                : position.encodeBytes(key.filter().tenant());
        EncodedPage.Slice slice =
                page.slice(position.next(partition), below, config.sliceBytes(), base, prev.get(partition));
        Buffer buffer = slice.buffer();
        position = position.with(partition, slice.nextSeq());
        if (buffer != null) {
            prev.put(partition, slice.lastSeq());
            sent(buffer, slice.frames());
            metrics.readBack(slice.frames());
        }
    }

    /** Takes blocks of the run until it can't any more: fell out, is too far behind, run ended, or the stream ends. */
    private void follow(Target border) {
        SharedRun run = border.run();
        long index = border.index();
        place = new Place(run, index);
        try {
            while (goesOn()) {
                if (System.nanoTime() - dueAt() >= 0) {
                    Position now = run.positionAt(index);
                    position = now == null ? position : now;
                    beat();
                }
                if (!sink.hasRoom()) {
                    sink.awaitRoom(dueAt());
                    if (!run.holds(index) || (backlog.drops() && backlog.isExceededBy(run.framesFrom(index)))) {
                        return;
                    }
                    continue;
                }
                List<RunBlock> blocks = run.take(index, config.sliceBytes());
                if (blocks == null) {
                    return;
                }
                if (blocks.isEmpty()) {
                    signal.await(dueAt());
                    continue;
                }
                index += blocks.size();
                send(blocks);
                place = new Place(run, index);
            }
            Position now = run.positionAt(index);
            position = now == null ? position : now;
        } finally {
            place = null;
            run.leave(signal);
        }
    }

    private void send(List<RunBlock> blocks) {
        Buffer all = null;
        int frames = 0;
        for (RunBlock block : blocks) {
            Buffer buffer = block.bufferFor(prev.get(block.partition()));
            prev.put(block.partition(), block.lastSeq());
            frames += block.frames();
            if (blocks.size() == 1) {
                all = buffer;
            } else {
                all = all == null ? Buffer.buffer(buffer.length() * blocks.size()) : all;
                all.appendBuffer(buffer);
            }
        }
        position = blocks.getLast().after();
        if (all != null) {
            sent(all, frames);
        }
    }

    private void sent(Buffer buffer, int frames) {
        told = position;
        quiet = false;
        sink.send(buffer);
        metrics.sent(frames, buffer.length());
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
            sink.send(SseText.resolved(resolved.json(), position, key.filter().tenant()));
            told = position;
            quiet = false;
        }
    }

    /** Every heartbeat a comment; and a checkpoint where the last id does not say where the stream stands, or none was sent. */
    private void beat() {
        tellResolved();
        long now = System.nanoTime();
        if (now - beatAt < 0) {
            return;
        }
        beatAt = now + config.heartbeat().toNanos();
        if (sink.hasRoom()) {
            boolean checkpoint = quiet || told == null || !position.equals(told);
            sink.send(checkpoint ? SseText.keepAliveAt(position, key.filter().tenant()) : SseText.KEEP_ALIVE);
            told = position;
        }
        quiet = true;
    }
}
