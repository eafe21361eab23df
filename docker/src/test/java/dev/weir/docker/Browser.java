package dev.weir.docker;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A page in headless Chromium: served from a port of its own, so that everything else is another origin; it tells what it sees by {@code fetch('/tell')}. */
final class Browser implements AutoCloseable {
    private static final Path FOLDER = Path.of("target", "it", "browser").toAbsolutePath();

    private final HttpServer pages;
    private final LinkedBlockingQueue<String> told = new LinkedBlockingQueue<>();
    private Optional<Process> process = Optional.empty();

    private Browser(HttpServer pages) {
        this.pages = pages;
    }

    /** @param port of the page's origin */
    static Browser serving(int port, String page) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        Browser browser = new Browser(server);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/tell", browser::listen);
        server.createContext("/page", exchange -> answer(exchange, "text/html; charset=utf-8", page));
        server.start();
        return browser;
    }

    /**
     * Opens the page; false where no Chromium is here.
     *
     * @param parameters what the page finds in {@code location.search}
     */
    boolean open(String parameters) throws IOException {
        Files.createDirectories(FOLDER);
        try {
            process = Optional.of(new ProcessBuilder(List.of(
                            "chromium",
                            "--headless",
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync",
                            "--remote-debugging-port=0",
                            "--user-data-dir=" + Files.createTempDirectory(FOLDER, "profile"),
                            "http://127.0.0.1:" + pages.getAddress().getPort() + "/page?" + parameters))
                    .redirectErrorStream(true)
                    .redirectOutput(FOLDER.resolve("chromium.log").toFile())
                    .start());
            return true;
        } catch (IOException missing) {
            System.out.println("browser: skipped: " + missing.getMessage());
            return false;
        }
    }

    /** What the page tells next. */
    String next(Duration patience) throws InterruptedException, IOException {
        String text = told.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        if (text == null) {
            throw new AssertionError("the page told nothing within " + patience + "; chromium said: "
                    + Files.readString(FOLDER.resolve("chromium.log")));
        }
        return text;
    }

    private void listen(HttpExchange exchange) throws IOException {
        told.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        answer(exchange, "text/plain", "");
    }

    private static void answer(HttpExchange exchange, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(200, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        process.ifPresent(running -> {
            running.descendants().forEach(ProcessHandle::destroyForcibly);
            running.destroyForcibly().onExit().join();
        });
        pages.stop(0);
    }
}
