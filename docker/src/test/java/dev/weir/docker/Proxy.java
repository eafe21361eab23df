package dev.weir.docker;

import static org.awaitility.Awaitility.await;

import dev.weir.wal.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A real proxy in front of one node. */
final class Proxy implements AutoCloseable {
    private static final Path FOLDER = Path.of("target", "it", "proxies").toAbsolutePath();
    private static final int SHORT_SECONDS = 20;

    private final String name;
    private final int port;
    private final Process process;

    private Proxy(String name, int port, Process process) {
        this.name = name;
        this.port = port;
        this.process = process;
    }

    /**
     * As Debian's nginx.conf sets it up: proxy_buffering on, gzip on. WebSockets it passes only where it is told to: below {@code /sockets}, as page CDC has it.
     *
     * @param compressing gzip for all types and all answers
     * @param defaultTimeouts 60 s; else 20
     */
    static Optional<Proxy> nginx(String backend, boolean compressing, boolean defaultTimeouts) throws IOException {
        int port = FreePorts.next();
        String name = compressing ? "nginx that compresses" : "nginx";
        Path folder = Files.createDirectories(FOLDER.resolve("nginx-" + port));
        Path config = Files.writeString(folder.resolve("nginx.conf"), """
                daemon off;
                master_process off;
                pid %1$s/nginx.pid;
                error_log %1$s/error.log;
                events { worker_connections 768; }
                http {
                  sendfile on;
                  tcp_nopush on;
                  access_log off;
                  client_body_temp_path %1$s/body;
                  proxy_temp_path %1$s/proxy;
                  fastcgi_temp_path %1$s/fastcgi;
                  uwsgi_temp_path %1$s/uwsgi;
                  scgi_temp_path %1$s/scgi;
                  gzip on;
                  %2$s
                  %3$s
                  server {
                    listen 127.0.0.1:%4$d;
                    location / { proxy_pass %5$s; %6$s }
                    location /sockets/ {
                      proxy_pass %5$s/;
                      proxy_http_version 1.1;
                      proxy_set_header Upgrade $http_upgrade;
                      proxy_set_header Connection upgrade;
                      proxy_set_header Host $host:$server_port;
                    }
                  }
                }
                """.formatted(
                        folder,
                        compressing ? "gzip_types *; gzip_proxied any; gzip_min_length 0;" : "",
                        defaultTimeouts ? "" : "proxy_read_timeout " + SHORT_SECONDS + "s;",
                        port,
                        backend,
                        compressing ? "proxy_http_version 1.1;" : ""));
        return start(
                name, port, "nginx", "-p", folder.toString(), "-c", config.toString(), "-e", folder + "/error.log");
    }

    /**
     * As Debian's haproxy.cfg sets it up: mode http, time-outs of client and server 50 s.
     *
     * @param compressing gzip, for events too
     * @param defaultTimeouts those 50 s; else 20
     */
    static Optional<Proxy> haproxy(String backend, boolean compressing, boolean defaultTimeouts) throws IOException {
        return haproxy(List.of("server node " + authority(backend)), compressing, defaultTimeouts);
    }

    /** In front of several nodes, of which it asks those that say that they are ready. */
    static Optional<Proxy> haproxy(List<String> backends) throws IOException {
        List<String> servers = new ArrayList<>(List.of("option httpchk GET /health/ready", "option redispatch"));
        for (String backend : backends) {
            servers.add("server node" + servers.size() + " " + authority(backend) + " check inter 500 fall 1 rise 1");
        }
        return haproxy(servers, false, true);
    }

    private static String authority(String url) {
        return URI.create(url).getAuthority();
    }

    private static Optional<Proxy> haproxy(List<String> servers, boolean compressing, boolean defaultTimeouts)
            throws IOException {
        int port = FreePorts.next();
        String name = compressing ? "HAProxy that compresses" : "HAProxy";
        Path folder = Files.createDirectories(FOLDER.resolve("haproxy-" + port));
        int idleMs = defaultTimeouts ? 50_000 : SHORT_SECONDS * 1000;
        Path config = Files.writeString(folder.resolve("haproxy.cfg"), """
                defaults
                  mode http
                  option httplog
                  option dontlognull
                  timeout connect 5000
                  timeout client %1$d
                  timeout server %1$d
                listen weir
                  bind 127.0.0.1:%2$d
                  %3$s
                  %4$s
                """.formatted(
                idleMs,
                port,
                compressing ? "compression algo gzip\n  compression type text/event-stream application/json" : "",
                String.join("\n  ", servers)));
        return start(name, port, "haproxy", "-db", "-f", config.toString());
    }

    private static Optional<Proxy> start(String name, int port, String... command) throws IOException {
        Path log = FOLDER.resolve(command[0] + "-" + port + ".log");
        Process process;
        try {
            process = new ProcessBuilder(List.of(command))
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
        } catch (IOException missing) {
            System.out.println("proxies: skipped " + name + ": " + missing.getMessage());
            return Optional.empty();
        }
        Proxy proxy = new Proxy(name, port, process);
        try {
            await().atMost(Duration.ofSeconds(30)).until(proxy::answers);
        } catch (RuntimeException e) {
            proxy.close();
            throw new AssertionError(name + " does not answer: " + Files.readString(log), e);
        }
        return Optional.of(proxy);
    }

    private boolean answers() {
        try {
            return send(HttpRequest.newBuilder(URI.create(url() + "/ping")).GET())
                            .statusCode()
                    == 204;
        } catch (IOException e) {
            return false;
        }
    }

    /** Where WebSockets are passed on. */
    String socketsUrl() {
        return name.startsWith("nginx") ? url() + "/sockets" : url();
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    HttpResponse<String> post(String path, String body) throws IOException {
        return send(HttpRequest.newBuilder(URI.create(url() + path)).POST(BodyPublishers.ofString(body)));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws IOException {
        try {
            return HttpClient.newHttpClient()
                    .send(request.timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    @Override
    public String toString() {
        return name;
    }
}
