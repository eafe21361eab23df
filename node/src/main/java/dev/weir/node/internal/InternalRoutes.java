package dev.weir.node.internal;

import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.feed.PartitionFeed;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.store.StoreException;
import dev.weir.partition.write.AppendOutcome;
import dev.weir.partition.write.AppendRequest;
import dev.weir.partition.write.DeleteRequest;
import dev.weir.wal.segment.SeqTrimmedException;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers other nodes under {@code /internal/v1}. Rule: an answer other than 200 and 500 means that nothing was done.
 *
 * <p>Status 421 means that another replica leads, 424 that a read waits for the object store; the body is an {@link PeerRefusal}.
 */
public final class InternalRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(InternalRoutes.class);
    private static final int MISDIRECTED = 421;

    /** What was asked for is in the object store and can't be had now: the replica is well. */
    static final int STORE_WAITS = 424;

    private static final long BODY_BYTES_MAX = 64L << 20;
    private static final int PAGE_BYTES_MAX = 4 << 20;
    private static final long WAIT_MS_MAX = 10_000;

    private final Vertx vertx;
    private final Router router;
    private final LocalPartitions local;
    private final ExecutorService blocking;

    /**
     * @param router of the node's HTTP port
     * @param blocking runs what blocks on the disk
     */
    public InternalRoutes(Vertx vertx, Router router, PeerAuth auth, LocalPartitions local, ExecutorService blocking) {
        this.vertx = vertx;
        this.router = router;
        this.local = local;
        this.blocking = blocking;
        router.route("/internal/v1/*").handler(context -> {
            String refusal = auth.refusal(
                    context.request().getHeader(PeerAuth.CLUSTER_HEADER),
                    context.request().getHeader(PeerAuth.PROOF_HEADER));
            if (refusal == null) {
                context.next();
            } else {
                fail(context, 401, new PeerRefusal(ErrorCode.UNAUTHENTICATED, refusal, ""));
            }
        });
    }

    /** Routes for partitions. */
    public void mount() {
        partition("append", (here, context, body) -> {
            AppendRequest request = WriteMessages.decodeAppend(body);
            answer(context, here.append(request));
        });
        partition("delete", (here, context, body) -> {
            DeleteRequest request = WriteMessages.decodeDelete(body);
            answer(context, here.delete(request));
        });
        partition(
                "latest",
                (here, context, body) ->
                        read(context, here, () -> here.latest(ReadMessages.decodeQuery(body)), ReadMessages::encode));
        partition(
                "series",
                (here, context, body) ->
                        read(context, here, () -> here.series(ReadMessages.decodeQuery(body)), ReadMessages::encode));
        partition(
                "image",
                (here, context, body) ->
                        read(context, here, () -> here.image(ImageMessages.decodeQuery(body)), ImageMessages::encode));
        partition(
                "flush",
                (here, context, body) -> read(
                        context,
                        here,
                        () -> here.flush(new WireReader(body).readInt()),
                        any -> new WireWriter(8).putBool(any).buffer()));
        partition(
                "compact",
                (here, context, body) -> read(
                        context,
                        here,
                        () -> here.compact(new WireReader(body).readInt()),
                        merges -> new WireWriter(8).putInt(merges).buffer()));
        partition(
                "table-files",
                (here, context, body) -> read(
                        context, here, () -> here.tableFiles(new WireReader(body).readInt()), FilesMessages::encode));
        partition(
                "cut",
                (here, context, body) ->
                        read(context, here, () -> here.cut(CutMessages.decodeRequest(body)), CutMessages::encode));
        partition(
                "rewrite",
                (here, context, body) -> read(
                        context,
                        here,
                        () -> {
                            FilesMessages.Rewrite rewrite = FilesMessages.decodeRewrite(body);
                            return here.rewrite(rewrite.tableId(), rewrite.keys());
                        },
                        done -> new WireWriter(8).putBool(done).buffer()));
        partition(
                "head",
                (here, context, body) -> read(
                        context,
                        here,
                        () -> CompletableFuture.completedFuture(here.feed().nextSeq()),
                        seq -> new WireWriter(16).putLong(seq).buffer()));
        partition("resolve", (here, context, body) -> {
            Duration age = Duration.ofMillis(number(context, "age"));
            read(
                    context,
                    here,
                    () -> here.resolve(age),
                    resolved -> new WireWriter(16).putLong(resolved).buffer());
        });
        partition("feed", (here, context, body) -> page(context, here.feed()));
        partition("kept", (here, context, body) -> {
            long from = number(context, "from");
            onBlocking(context, () -> kept(here.feed(), from));
        });
        partition("seek", (here, context, body) -> {
            long time = Long.parseLong(context.request().getParam("time"));
            onBlocking(
                    context,
                    () -> new WireWriter(16).putLong(here.feed().seekTime(time)).buffer());
        });
        partition("bytes", (here, context, body) -> {
            long from = number(context, "from");
            onBlocking(
                    context,
                    () -> new WireWriter(16)
                            .putLong(here.feed().bytesFrom(from))
                            .buffer());
        });
        partition(
                "configuration",
                (here, context, body) -> read(
                        context,
                        here,
                        () -> CompletableFuture.completedFuture(here.voters()),
                        voters -> PeerGroupAdmin.encode(String.valueOf(here.leader()), voters)));
        partition(
                "voters",
                (here, context, body) -> read(
                        context,
                        here,
                        () -> here.setVoters(PeerGroupAdmin.decode(body).voters()),
                        done -> Buffer.buffer()));
        partition(
                "leader",
                (here, context, body) -> read(
                        context, here, () -> here.handOver(new WireReader(body).readText()), done -> Buffer.buffer()));
        on("/replicas/open", body -> {
            WireReader in = new WireReader(body);
            return local.join(in.readInt(), in.readInt()).thenApply(done -> Buffer.buffer());
        });
        partition("transfer/:verb", (here, context, body) -> {
            String verb = context.pathParam("verb");
            long id = number(context, "id");
            String file = context.request().getParam("file", "");
            long offset = number(context, "offset");
            int length = (int) number(context, "length");
            onBlocking(context, () -> ReplicaTransfers.serve(here.files(), verb, id, file, offset, length));
        });
        partition("wait", (here, context, body) -> awaitNext(context, here.feed()));
    }

    /** A further internal call: bytes in, bytes out. {@link RefusedException} becomes its status. */
    public void on(String path, Function<Buffer, CompletionStage<Buffer>> handler) {
        router.route(HttpMethod.POST, "/internal/v1" + path)
                .handler(context -> withBody(
                        context,
                        body -> handler.apply(body)
                                .whenComplete((bytes, failure) -> context.vertx()
                                        .getOrCreateContext()
                                        .runOnContext(go -> {
                                            if (failure == null) {
                                                context.response().end(bytes);
                                            } else {
                                                fail(context, failure, "");
                                            }
                                        }))));
    }

    /** A further internal call whose answer is more than one message: the handler answers by the context, on its event loop. */
    public void stream(String path, BiConsumer<RoutingContext, Buffer> handler) {
        router.route(HttpMethod.POST, "/internal/v1" + path)
                .handler(context -> withBody(context, body -> handler.accept(context, body)));
    }

    private interface PartitionCall {
        void handle(LocalPartition here, RoutingContext context, Buffer body);
    }

    private void partition(String verb, PartitionCall call) {
        router.route(HttpMethod.POST, "/internal/v1/partitions/:partition/" + verb)
                .handler(context -> withBody(context, body -> {
                    int partition = Integer.parseInt(context.pathParam("partition"));
                    LocalPartition here = local.find(partition).orElse(null);
                    if (here == null) {
                        fail(
                                context,
                                MISDIRECTED,
                                new PeerRefusal(
                                        ErrorCode.NO_LEADER,
                                        "no open replica of partition " + partition + " here",
                                        ""));
                        return;
                    }
                    call.handle(here, context, body);
                }));
    }

    private static void withBody(RoutingContext context, Consumer<Buffer> then) {
        long length = parsedLength(context);
        if (length > BODY_BYTES_MAX) {
            fail(
                    context,
                    413,
                    new PeerRefusal(
                            ErrorCode.TOO_LARGE,
                            "internal message of " + length + " bytes, limit " + BODY_BYTES_MAX,
                            ""));
            return;
        }
        context.request().body().onComplete(read -> {
            if (read.failed()) {
                context.request().connection().close();
                return;
            }
            try {
                then.accept(read.result());
            } catch (WireFormatException | IllegalArgumentException e) {
                fail(context, 400, new PeerRefusal(ErrorCode.BAD_REQUEST, String.valueOf(e.getMessage()), ""));
            }
        });
    }

    private static long parsedLength(RoutingContext context) {
        String header = context.request().getHeader("Content-Length");
        return header == null ? 0 : Long.parseLong(header);
    }

    private static void answer(RoutingContext context, CompletionStage<Attempt> attempt) {
        Context owner = context.vertx().getOrCreateContext();
        attempt.whenComplete((result, failure) -> owner.runOnContext(go -> {
            if (failure != null) {
                fail(context, failure, "");
                return;
            }
            switch (result) {
                case Attempt.Done done -> context.response().end(WriteMessages.encode(done.outcome()));
                case Attempt.Elsewhere elsewhere ->
                    fail(
                            context,
                            MISDIRECTED,
                            new PeerRefusal(
                                    ErrorCode.NO_LEADER,
                                    elsewhere.why(),
                                    elsewhere.leader() == null ? "" : elsewhere.leader()));
                case Attempt.Open open ->
                    context.response().end(WriteMessages.encode(new AppendOutcome.Unknown(open.why())));
            }
        }));
    }

    private <T> void read(
            RoutingContext context,
            LocalPartition here,
            Supplier<CompletionStage<T>> reading,
            Function<T, Buffer> encode) {
        boolean any = "any".equals(context.request().getParam("consistency"));
        if (!any && !here.leads()) {
            String leader = here.leader();
            fail(
                    context,
                    MISDIRECTED,
                    new PeerRefusal(
                            ErrorCode.NO_LEADER,
                            "partition " + here.partition() + " is led elsewhere",
                            leader == null ? "" : leader));
            return;
        }
        Context owner = vertx.getOrCreateContext();
        CompletionStage<Void> current = any ? CompletableFuture.completedFuture(null) : linearize(here);
        current.thenCompose(ok -> reading.get())
                .whenComplete((result, failure) -> owner.runOnContext(go -> {
                    if (failure == null) {
                        context.response().end(encode.apply(result));
                    } else {
                        fail(context, failure, "");
                    }
                }));
    }

    /** A leadership that ended meanwhile is no fault: nothing was read, and the asker tries again. */
    static CompletionStage<Void> linearize(LocalPartition here) {
        return here.linearize().exceptionally(lost -> {
            throw new RefusedException(Refusal.of(
                    ErrorCode.NO_LEADER,
                    "partition " + here.partition() + ": " + unwrapped(lost).getMessage()));
        });
    }

    private void page(RoutingContext context, PartitionFeed feed) {
        long from = Long.parseLong(context.request().getParam("from"));
        int maxBytes =
                Math.min(PAGE_BYTES_MAX, Integer.parseInt(context.request().getParam("bytes")));
        onBlocking(context, () -> {
            try {
                FeedPage page = feed.read(from, maxBytes);
                return FeedMessages.encode(placeOf(feed, false), page);
            } catch (SeqTrimmedException e) {
                return FeedMessages.place(placeOf(feed, true)).buffer();
            }
        });
    }

    private static Buffer kept(PartitionFeed feed, long from) throws IOException {
        try {
            PartitionFeed.Kept kept = feed.kept(from);
            return FeedMessages.kept(placeOf(feed, false), kept);
        } catch (SeqTrimmedException e) {
            return FeedMessages.place(placeOf(feed, true)).buffer();
        }
    }

    /** Answers when the feed has gone past {@code from}, or after a while; of one that is closed, that it is to be sought elsewhere. */
    private void awaitNext(RoutingContext context, PartitionFeed feed) {
        long from = Long.parseLong(context.request().getParam("from"));
        Context owner = vertx.getOrCreateContext();
        AtomicBoolean answered = new AtomicBoolean();
        Runnable answer = () -> {
            if (answered.compareAndSet(false, true)) {
                owner.runOnContext(go -> answerStanding(context, feed));
            }
        };
        AutoCloseable registration = feed.onAdvance(() -> {
            if (feed.nextSeq() > from || feed.closed()) {
                answer.run();
            }
        });
        if (feed.nextSeq() > from || feed.closed()) {
            answer.run();
        }
        long timer = vertx.setTimer(WAIT_MS_MAX, fired -> answer.run());
        context.addEndHandler(ended -> {
            vertx.cancelTimer(timer);
            closeQuietly(registration);
        });
    }

    private static void answerStanding(RoutingContext context, PartitionFeed feed) {
        if (feed.closed()) {
            fail(
                    context,
                    MISDIRECTED,
                    new PeerRefusal(
                            ErrorCode.NO_LEADER,
                            "the replica of partition " + feed.partition() + " here is closed",
                            ""));
        } else {
            context.response().end(standing(feed));
        }
    }

    private static void closeQuietly(AutoCloseable registration) {
        try {
            registration.close();
        } catch (Exception e) {
            throw new IllegalStateException("a registration must close", e);
        }
    }

    private static long number(RoutingContext context, String name) {
        return Long.parseLong(context.request().getParam(name, "0"));
    }

    private static Buffer standing(PartitionFeed feed) {
        long resolved = feed.resolvedAtNanos();
        return FeedMessages.standing(placeOf(feed, false), resolved);
    }

    private static FeedMessages.Place placeOf(PartitionFeed feed, boolean trimmed) {
        return new FeedMessages.Place(
                feed.firstSeq(), feed.oldestSeq(), feed.nextSeq(), feed.lastCommittedAtNanos(), trimmed);
    }

    private void onBlocking(RoutingContext context, Callable<Buffer> work) {
        Context owner = vertx.getOrCreateContext();
        blocking.execute(() -> {
            Future<Buffer> result;
            try {
                result = Future.succeededFuture(work.call());
            } catch (Exception e) {
                result = Future.failedFuture(e);
            }
            Future<Buffer> done = result;
            owner.runOnContext(go -> {
                if (done.succeeded()) {
                    context.response().end(done.result());
                } else if (done.cause() instanceof StoreException away) {
                    fail(
                            context,
                            STORE_WAITS,
                            new PeerRefusal(ErrorCode.INTERNAL, String.valueOf(away.getMessage()), ""));
                } else {
                    fail(context, done.cause(), "");
                }
            });
        });
    }

    private static void fail(RoutingContext context, Throwable failure, String leader) {
        Throwable cause = unwrapped(failure);
        if (cause instanceof RefusedException refused) {
            Refusal refusal = refused.refusal();
            fail(context, refusal.code().status(), new PeerRefusal(refusal.code(), refusal.message(), leader));
            return;
        }
        LOG.warn("internal call {} failed", context.normalizedPath(), cause);
        fail(context, 500, new PeerRefusal(ErrorCode.INTERNAL, String.valueOf(cause), leader));
    }

    private static void fail(RoutingContext context, int status, PeerRefusal error) {
        if (!context.response().ended()) {
            context.response().setStatusCode(status).end(error.encode());
        }
    }

    /** What a failed call to another node means for a write. */
    static Attempt attemptOf(Throwable failure) {
        if (unwrapped(failure) instanceof PeerException peer) {
            if (peer.mayHaveArrived()) {
                return new Attempt.Open(String.valueOf(peer.getMessage()));
            }
            PeerRefusal error = PeerRefusal.decode(peer.body());
            return new Attempt.Elsewhere(
                    error == null ? null : error.leader(),
                    error == null ? String.valueOf(peer.getMessage()) : error.message());
        }
        return new Attempt.Open(String.valueOf(failure));
    }

    /** What a failed call to another node means for a read. */
    static RefusedException refusalOf(Throwable failure) {
        Throwable cause = unwrapped(failure);
        if (cause instanceof RefusedException refused) {
            return refused;
        }
        if (cause instanceof PeerException peer) {
            PeerRefusal error = PeerRefusal.decode(peer.body());
            if (error != null && peer.status() != MISDIRECTED) {
                return new RefusedException(error.refusal());
            }
        }
        return new RefusedException(Refusal.of(ErrorCode.NO_LEADER, String.valueOf(cause.getMessage())));
    }

    static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException
                        || cause instanceof ExecutionException
                        || cause instanceof UncheckedIOException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
