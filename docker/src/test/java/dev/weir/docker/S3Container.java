package dev.weir.docker;

import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.model.ExposedPort;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Ports;
import dev.weir.wal.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.AbstractWaitStrategy;

/**
 * An S3 server with one bucket in a container, by Testcontainers, from an image that is built here ({@link S3Image}). It keeps its port and its objects when
 * it is stopped and started. As an extension it lives as long as its test class.
 */
final class S3Container implements BeforeAllCallback, AfterAllCallback {
    static final String BUCKET = "weir";

    private static final int STOP_SECONDS = 2;

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private final int port = FreePorts.next();
    private GenericContainer<?> container;

    /** A Docker engine runs, or a test that needs one shall fail ({@code -Pdocker}). */
    static boolean mayRun() {
        return "required".equals(System.getProperty("weir.docker"))
                || DockerClientFactory.instance().isDockerAvailable();
    }

    URI endpoint() {
        return URI.create("http://127.0.0.1:" + port);
    }

    void stop() {
        running()
                .getDockerClient()
                .stopContainerCmd(running().getContainerId())
                .withTimeout(STOP_SECONDS)
                .exec();
    }

    void start() {
        running()
                .getDockerClient()
                .startContainerCmd(running().getContainerId())
                .exec();
        await().atMost(Duration.ofSeconds(60)).until(this::answers);
    }

    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
        ExposedPort inside = ExposedPort.tcp(S3Image.PORT);
        container = new GenericContainer<>(S3Image.build(BUCKET))
                .withExposedPorts(S3Image.PORT)
                .withCreateContainerCmdModifier(create -> Objects.requireNonNullElseGet(
                                create.getHostConfig(), HostConfig::newHostConfig)
                        .withPortBindings(new PortBinding(Ports.Binding.bindIpAndPort("127.0.0.1", port), inside)))
                .waitingFor(new AbstractWaitStrategy() {
                    @Override
                    protected void waitUntilReady() {
                        await().atMost(Duration.ofSeconds(60)).until(S3Container.this::answers);
                    }
                });
        container.start();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        if (container != null) {
            container.stop();
        }
    }

    private GenericContainer<?> running() {
        return Objects.requireNonNull(container, "the container was not started");
    }

    /** It refuses who names no key. */
    private boolean answers() throws InterruptedException {
        try {
            HttpRequest unsigned = HttpRequest.newBuilder(endpoint())
                    .timeout(Duration.ofSeconds(5))
                    .build();
            return http.send(unsigned, BodyHandlers.discarding()).statusCode() == 403;
        } catch (IOException notYet) {
            return false;
        }
    }
}
