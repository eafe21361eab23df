package dev.weir.partition.store;

import dev.weir.wal.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.awaitility.Awaitility;

/** A real S3 server (S3Proxy over a folder) in a process and on a class path of its own; it checks signatures. */
public final class S3Server implements AutoCloseable {
    public static final S3Credentials CREDENTIALS = new S3Credentials("test-key", "test-secret");
    /** S3Proxy with all that it needs, copied here by the build. */
    public static final Path JAR =
            Path.of(System.getProperty("weir.root", ".."), "partition", "target", "s3proxy", "s3proxy.jar");

    public static final String MAIN = "org.gaul.s3proxy.Main";
    /** For logback: it logs at DEBUG without one. */
    public static final String LOGGING = "<configuration><root level=\"OFF\"/></configuration>";

    private final Process process;
    private final int port;
    private final Path data;

    private S3Server(Process process, int port, Path data) {
        this.process = process;
        this.port = port;
        this.data = data;
    }

    public static S3Server start(Path folder) throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        int port = FreePorts.next();
        Path config = folder.resolve("s3proxy.conf");
        Files.writeString(config, properties("127.0.0.1:" + port, data.toString()));
        Path logging = folder.resolve("logback.xml");
        Files.writeString(logging, LOGGING);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx128m",
                        "-Dlogback.configurationFile=" + logging,
                        "-cp",
                        JAR.toAbsolutePath().toString(),
                        MAIN,
                        "--properties",
                        config.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("s3proxy.log").toFile())
                .start();
        // A class whose tests are all skipped has begun it in its fields, and closes nothing.
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(process::destroyForcibly));
        S3Server server = new S3Server(process, port, data);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(server::answers);
        return server;
    }

    /**
     * The server's configuration.
     *
     * @param address host and port to listen at
     * @param data folder of buckets, each a folder
     */
    public static String properties(String address, String data) {
        return """
                s3proxy.endpoint=http://%s
                s3proxy.authorization=aws-v2-or-v4
                s3proxy.identity=%s
                s3proxy.credential=%s
                jclouds.provider=filesystem-nio2
                jclouds.filesystem.basedir=%s
                """.formatted(address, CREDENTIALS.accessKey(), CREDENTIALS.secretKey(), data);
    }

    /** @param url of a bucket that was created, and a prefix */
    public ObjectStore open(String url) throws StoreException {
        S3Config s3 = new S3Config(
                Optional.of(endpoint()), "us-east-1", true, Optional.of(CREDENTIALS), S3Config.PART_BYTES_MIN);
        return ObjectStore.open(new StoreConfig(URI.create(url), s3, RetryConfig.DEFAULT));
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    public int port() {
        return port;
    }

    /** A bucket is a folder to this server. */
    public void createBucket(String name) throws IOException {
        Files.createDirectory(bucket(name));
    }

    /** The folder of a bucket. */
    public Path bucket(String name) {
        return data.resolve(name);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean answers() {
        if (!process.isAlive()) {
            throw new IllegalStateException("the S3 server has ended with " + process.exitValue());
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }
}
