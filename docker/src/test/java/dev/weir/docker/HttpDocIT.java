package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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

/** Every example of HTTP.md and CLIENTS.md, in the order of the page, against a cluster with authentication. */
final class HttpDocIT {
    @RegisterExtension
    static final LocalCluster CLUSTER = LocalCluster.withTokens(3);

    private static String token = "";

    @BeforeAll
    static void makeToken() {
        token = CLUSTER.newToken("write,read,cdc");
    }

    @TestFactory
    Stream<DynamicTest> everyExampleDoesWhatThePageSays() throws IOException {
        List<Example> examples = HttpDoc.read(LocalCluster.HOME.resolve("docs/HTTP.md"));
        assertThat(examples).hasSizeGreaterThan(15);
        return examples.stream().map(example -> DynamicTest.dynamicTest(example.toString(), () -> run(example)));
    }

    /** In a folder of their own; those that need npm are skipped where it is missing. */
    @TestFactory
    Stream<DynamicTest> everyClientFollowsAsThePageSays() throws IOException {
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "clients");
        List<Example> examples = HttpDoc.read(LocalCluster.HOME.resolve("docs/CLIENTS.md"));
        assertThat(examples).hasSizeGreaterThan(3);
        boolean hasNpm = CLUSTER.run(List.of("sh", "-c", "command -v npm")).exitCode() == 0;
        return examples.stream()
                .map(example -> DynamicTest.dynamicTest(example.toString(), () -> {
                    assumeTrue(hasNpm || !example.script().contains("npm install"), "skipped: npm is missing");
                    run(example, "cd " + folder + "\n");
                }));
    }

    private static void run(Example example) {
        run(example, "");
    }

    private static void run(Example example, String before) {
        String variables = before + "URL=" + CLUSTER.url(2) + "\nTOKEN=" + token + "\nADMIN=" + LocalCluster.ADMIN_TOKEN
                + "\nWEIR_HOME=" + LocalCluster.HOME.toAbsolutePath() + "\nJAVA_HOME=" + System.getProperty("java.home")
                + "\n";
        LocalCluster.Run run = CLUSTER.run(List.of("bash", "-euo", "pipefail", "-c", variables + example.script()));

        assertThat(run.exitCode()).as("exit code; output: %s", run.out()).isZero();
        List<String> lines = run.out().lines().toList();
        for (String expected : example.expected()) {
            assertThat(lines).as("a line like %s", expected).anyMatch(line -> Example.matches(expected, line));
        }
    }
}
