package dev.weir.docker;

import dev.weir.partition.store.S3Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.testcontainers.images.builder.ImageFromDockerfile;

/**
 * The image of an S3 server, from nothing but this machine: a run-time cut from the JDK that runs the tests, the C libraries that it needs, and S3Proxy. So
 * no registry has to be reached. The run-time is made once and kept in {@code target/s3-image}.
 */
final class S3Image {
    static final int PORT = 8080;

    private static final Path FOLDER = Path.of("target", "s3-image").toAbsolutePath();
    private static final String MODULES = "java.se,jdk.unsupported,jdk.crypto.ec";
    private static final Pattern LIBRARY = Pattern.compile("(?m)(/\\S+) \\(0x");

    private S3Image() {}

    /** @param bucket that the server has from the start */
    static ImageFromDockerfile build(String bucket) throws IOException {
        Path runtime = runtime();
        ImageFromDockerfile image = new ImageFromDockerfile("weir-test-s3", false)
                .withFileFromPath("jre", runtime)
                .withFileFromPath("s3proxy.jar", S3Server.JAR)
                .withFileFromString("s3proxy.conf", S3Server.properties("0.0.0.0:" + PORT, "/data"))
                .withFileFromString("logback.xml", S3Server.LOGGING);
        StringBuilder libraries = new StringBuilder();
        for (Path library : libraries(runtime)) {
            image.withFileFromPath("root" + library, library.toRealPath());
            libraries
                    .append("COPY root")
                    .append(library)
                    .append(' ')
                    .append(library)
                    .append('\n');
        }
        return image.withFileFromString("Dockerfile", """
                FROM scratch
                %sCOPY jre /jre
                COPY s3proxy.jar s3proxy.conf logback.xml /s3/
                WORKDIR /tmp
                WORKDIR /data/%s
                WORKDIR /s3
                ENTRYPOINT ["/jre/bin/java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx128m", \
                "-Dlogback.configurationFile=/s3/logback.xml", "-cp", "/s3/s3proxy.jar", "%s", "--properties", "/s3/s3proxy.conf"]
                """.formatted(libraries, bucket, S3Server.MAIN));
    }

    private static Path runtime() throws IOException {
        Path runtime = FOLDER.resolve("jre-" + Runtime.version());
        if (!Files.exists(runtime)) {
            Path made = FOLDER.resolve("made-" + ProcessHandle.current().pid());
            int code = ToolProvider.findFirst("jlink")
                    .orElseThrow(() -> new IOException("this JDK has no jlink"))
                    .run(
                            System.out,
                            System.err,
                            "--add-modules",
                            MODULES,
                            "--no-man-pages",
                            "--no-header-files",
                            "--output",
                            made.toString());
            if (code != 0) {
                throw new IOException("jlink ended with " + code + ", expected 0");
            }
            Files.move(made, runtime);
        }
        return runtime;
    }

    /** The loader and the shared libraries that the launcher and the virtual machine ask for, outside of the run-time. */
    private static Set<Path> libraries(Path runtime) throws IOException {
        Set<Path> found = new LinkedHashSet<>();
        for (String binary : List.of("bin/java", "lib/server/libjvm.so")) {
            Process ldd = new ProcessBuilder("ldd", runtime.resolve(binary).toString())
                    .redirectErrorStream(true)
                    .start();
            Matcher library = LIBRARY.matcher(new String(ldd.getInputStream().readAllBytes()));
            while (library.find()) {
                Path path = Path.of(library.group(1)).normalize();
                if (!path.startsWith(runtime)) {
                    found.add(path);
                }
            }
        }
        if (found.isEmpty()) {
            throw new IOException("ldd names no library of " + runtime);
        }
        return found;
    }
}
