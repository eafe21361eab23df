package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.docker.HttpDoc.Example;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every curl of HTTP.md, in the order of the page, against a cluster with authentication. */
final class HttpDocIT {
    private static final String ADMIN = "admin-token-of-the-documentation-test";
    private static final Path ADMIN_FILE = adminTokenFile();

    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.of(3, "-c", "auth.admin-token-file=" + ADMIN_FILE);

    private static String token = "";

    @BeforeAll
    static void makeToken() {
        token = CLUSTER.weir("tokens", "create", "--tenant", "default", "--scope", "write,read,cdc", "--token", ADMIN)
                .orFail()
                .out()
                .strip();
    }

    @TestFactory
    Stream<DynamicTest> everyExampleDoesWhatThePageSays() throws IOException {
        List<Example> examples = HttpDoc.read(LocalCluster.HOME.resolve("docs/HTTP.md"));
        assertThat(examples).hasSizeGreaterThan(15);
        return examples.stream().map(example -> DynamicTest.dynamicTest(example.toString(), () -> run(example)));
    }

    private static void run(Example example) {
        String variables = "URL=" + CLUSTER.url(2) + "\nTOKEN=" + token + "\nADMIN=" + ADMIN + "\n";
        LocalCluster.Run run = CLUSTER.run(List.of("bash", "-euo", "pipefail", "-c", variables + example.script()));

        assertThat(run.exitCode()).as("exit code; output: %s", run.out()).isZero();
        List<String> lines = run.out().lines().toList();
        for (String expected : example.expected()) {
            assertThat(lines).as("a line like %s", expected).anyMatch(line -> Example.matches(expected, line));
        }
    }

    private static Path adminTokenFile() {
        try {
            Path file = Path.of("target", "it", "admin-token").toAbsolutePath();
            Files.createDirectories(file.getParent());
            return Files.writeString(file, ADMIN + "\n");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
