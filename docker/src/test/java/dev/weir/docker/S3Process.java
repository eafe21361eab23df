package dev.weir.docker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A real S3 server (S3Proxy over a folder) with one bucket, in a process and on a class path of its own. */
final class S3Process implements AutoCloseable {
    static final String ACCESS_KEY = "test-key";
    static final String SECRET_KEY = "test-secret";
    static final String BUCKET = "weir";

    private static final Path JAR =
            Path.of(System.getProperty("weir.root", ".."), "partition", "target", "s3proxy", "s3proxy.jar");

    private final Process process;
    private final int port;
    private final Path bucket;

    private S3Process(Process process, int port, Path bucket) {
        this.process = process;
        this.port = port;
        this.bucket = bucket;
    }

    static S3Process start(Path folder) {
        try {
            Path data = folder.resolve("data");
            Path bucket = Files.createDirectories(data.resolve(BUCKET));
            int port = freePort();
            Path config = Files.writeString(
                    folder.resolve("s3proxy.conf"), """
                    s3proxy.endpoint=http://127.0.0.1:%d
                    s3proxy.authorization=aws-v2-or-v4
                    s3proxy.identity=%s
                    s3proxy.credential=%s
                    jclouds.provider=filesystem-nio2
                    jclouds.filesystem.basedir=%s
                    """.formatted(port, ACCESS_KEY, SECRET_KEY, data.toAbsolutePath()));
            Path logging = Files.writeString(
                    folder.resolve("logback.xml"), "<configuration><root level=\"OFF\"/></configuration>");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-Xmx128m",
                            "-Dlogback.configurationFile=" + logging,
                            "-cp",
                            JAR.toAbsolutePath().toString(),
                            "org.gaul.s3proxy.Main",
                            "--properties",
                            config.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("s3proxy.log").toFile())
                    .start();
            S3Process server = new S3Process(process, port, bucket);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(server::answers);
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return port;
    }

    /** Names of the data files that it holds. */
    List<String> dataFiles() throws IOException {
        try (Stream<Path> files = Files.walk(bucket)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".parquet"))
                    .sorted()
                    .toList();
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
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

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
