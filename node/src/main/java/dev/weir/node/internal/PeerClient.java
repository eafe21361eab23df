package dev.weir.node.internal;

import dev.weir.node.tls.PeerTls;
import dev.weir.partition.catalog.NodeRecord;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Calls other nodes' {@code /internal/v1}. Host names are resolved at each connect. Any thread may call; futures complete on event loops and
 * fail with {@link PeerException} only.
 */
public final class PeerClient implements AutoCloseable {
    private static final int CONNECTIONS_PER_NODE = 32;
    /** One for each partition that is read there, while it has nothing new: they would keep all others waiting. */
    private static final int POLLS_PER_NODE = 256;

    private static final int WAITING_CALLS_MAX = 4096;
    private static final int CONNECT_MS_MAX = 3_000;

    private final HttpClient client;
    private final HttpClient polls;
    private final PeerTls tls;
    private final PeerAuth auth;

    public PeerClient(PeerTls tls, PeerAuth auth) {
        this.tls = tls;
        this.auth = auth;
        this.client = client(tls, CONNECTIONS_PER_NODE);
        this.polls = client(tls, POLLS_PER_NODE);
    }

    private static HttpClient client(PeerTls tls, int connectionsPerNode) {
        return tls.client(
                new HttpClientOptions().setTcpNoDelay(true).setKeepAlive(true).setKeepAliveTimeout(30),
                new PoolOptions().setHttp1MaxSize(connectionsPerNode).setMaxWaitQueueSize(WAITING_CALLS_MAX));
    }

    /** GET of a path below {@code /internal/v1}. */
    public CompletionStage<Buffer> get(NodeRecord node, String path, Duration timeout) {
        return call(client, node.httpUrl(), HttpMethod.GET, path, Buffer.buffer(), timeout);
    }

    /** POST to a path below {@code /internal/v1}. */
    public CompletionStage<Buffer> post(NodeRecord node, String path, Buffer body, Duration timeout) {
        return call(client, node.httpUrl(), HttpMethod.POST, path, body, timeout);
    }

    /** Like {@link #post}, of a call that the other node answers when something happens there: on connections of its own. */
    CompletionStage<Buffer> poll(NodeRecord node, String path, Duration timeout) {
        return call(polls, node.httpUrl(), HttpMethod.POST, path, Buffer.buffer(), timeout);
    }

    /**
     * Like {@link #post}, to a node that the catalog may not know yet.
     *
     * @param httpUrl as of {@link NodeRecord#httpUrl}
     */
    public CompletionStage<Buffer> post(String httpUrl, String path, Buffer body, Duration timeout) {
        return call(client, httpUrl, HttpMethod.POST, path, body, timeout);
    }

    private CompletionStage<Buffer> call(
            HttpClient by, String httpUrl, HttpMethod method, String path, Buffer body, Duration timeout) {
        String where = httpUrl.substring(httpUrl.indexOf("://") + 3);
        int colon = where.lastIndexOf(':');
        CompletableFuture<Buffer> answer = new CompletableFuture<>();
        RequestOptions options = new RequestOptions()
                .setMethod(method)
                .setSsl(httpUrl.startsWith("https://"))
                .setHost(where.substring(0, colon))
                .setPort(Integer.parseInt(where.substring(colon + 1)))
                .setURI("/internal/v1" + path)
                .putHeader(PeerAuth.CLUSTER_HEADER, auth.cluster())
                .putHeader(PeerAuth.PROOF_HEADER, auth.proof())
                .setIdleTimeout(timeout.toMillis())
                .setConnectTimeout(Math.min(timeout.toMillis(), CONNECT_MS_MAX));
        by.request(options).onComplete(connected -> {
            if (connected.failed()) {
                answer.completeExceptionally(new PeerException(
                        "node at " + where + " can't be reached: " + tls.reason(where, connected.cause()),
                        false,
                        0,
                        Buffer.buffer()));
                return;
            }
            exchange(connected.result(), where, body, answer);
        });
        return answer;
    }

    private static void exchange(
            HttpClientRequest request, String where, Buffer body, CompletableFuture<Buffer> answer) {
        request.send(body)
                .compose(response -> response.body().map(bytes -> {
                    int status = response.statusCode();
                    if (status == 200) {
                        return bytes;
                    }
                    // By the rule of InternalRoutes a node that answers with another error than 500 has not acted.
                    throw new PeerException("node at " + where + " answered " + status, status == 500, status, bytes);
                }))
                .onComplete(done -> {
                    if (done.succeeded()) {
                        answer.complete(done.result());
                    } else if (done.cause() instanceof PeerException refused) {
                        answer.completeExceptionally(refused);
                    } else {
                        answer.completeExceptionally(new PeerException(
                                "node at " + where + " did not answer: "
                                        + done.cause().getMessage(),
                                true,
                                0,
                                Buffer.buffer()));
                    }
                });
    }

    @Override
    public void close() {
        client.close();
        polls.close();
    }
}
