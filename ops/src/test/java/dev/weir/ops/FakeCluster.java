package dev.weir.ops;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import picocli.CommandLine;

/** Answers HTTP with what a test has laid down, and remembers what was asked. */
public final class FakeCluster implements AutoCloseable {
    private final HttpServer server;
    private final Map<String, Deque<Reply>> replies = new ConcurrentHashMap<>();
    private final List<Request> requests = new CopyOnWriteArrayList<>();

    /** In place of a status: the connection is closed without an answer. */
    public static final int BREAKS_OFF = 0;

    /** One answer; the last one laid down for a path is given again and again. */
    public record Reply(int status, String body, Map<String, String> headers) {}

    /** One request as it came. */
    public record Request(String method, String target, Map<String, List<String>> headers, String body) {}

    /** What a command came to. */
    public record Run(int exitCode, String out, String err) {}

    public FakeCluster() throws IOException {
        this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    }

    private FakeCluster(HttpServer server) {
        this.server = server;
        server.createContext("/", this::answer);
        server.start();
    }

    /** One that speaks TLS. */
    public static FakeCluster withTls(SSLContext shown) throws IOException {
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(shown));
        return new FakeCluster(server);
    }

    public FakeCluster reply(String methodAndPath, int status, String body) {
        return reply(methodAndPath, status, body, Map.of());
    }

    public FakeCluster reply(String methodAndPath, int status, String body, Map<String, String> headers) {
        replies.computeIfAbsent(methodAndPath, key -> new ArrayDeque<>()).add(new Reply(status, body, headers));
        return this;
    }

    public String url() {
        return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:"
                + server.getAddress().getPort();
    }

    public List<Request> requests() {
        return requests;
    }

    /** Runs the command line against this cluster. */
    public Run run(String... args) {
        List<String> all = new ArrayList<>(Arrays.asList(args));
        all.addAll(List.of("--url", url()));
        return runAlone(all.toArray(String[]::new));
    }

    public static Run runAlone(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine line = Weir.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        int exitCode = line.execute(args);
        return new Run(exitCode, out.toString(), err.toString());
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        requests.add(new Request(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                Map.copyOf(exchange.getRequestHeaders()),
                body));
        String key =
                exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
        Deque<Reply> laidDown = replies.getOrDefault(key, new ArrayDeque<>());
        Reply reply;
        synchronized (laidDown) {
            reply = laidDown.size() > 1 ? laidDown.poll() : laidDown.peek();
        }
        if (reply == null) {
            reply = new Reply(404, "{\"error\":\"nothing at " + key + "\",\"code\":\"not_found\"}", Map.of());
        }
        if (reply.status() == BREAKS_OFF) {
            exchange.close();
            return;
        }
        reply.headers().forEach(exchange.getResponseHeaders()::set);
        byte[] bytes = reply.body().getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(reply.status(), bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
