package dev.weir.ops.local;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Properties;

/** Stands for a server: reads its configuration, says that it is ready. {@code -c fake.fault=…} makes it fail or never be ready. */
final class FakeNode {
    private FakeNode() {}

    public static void main(String[] args) throws IOException {
        Properties config = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(args[1]))) {
            config.load(reader);
        }
        System.out.println("started with " + Arrays.toString(args));
        if (Arrays.asList(args).contains("fake.fault=crash")) {
            System.out.println("key data.dir: expected a folder, found a file");
            System.exit(1);
        }
        boolean ready = !Arrays.asList(args).contains("fake.fault=never-ready");
        HttpServer server = HttpServer.create(
                new InetSocketAddress("127.0.0.1", Integer.parseInt(config.getProperty("http.port"))), 0);
        server.createContext("/health/ready", exchange -> {
            byte[] body = (ready
                            ? "{\"ready\":true,\"causes\":[]}"
                            : "{\"ready\":false,\"causes\":[\"no catalog leader\"]}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(ready ? 200 : 503, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }
}
