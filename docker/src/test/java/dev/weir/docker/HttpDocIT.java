package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.docker.HttpDoc.Example;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every curl of HTTP.md, in the order of the page, against a cluster with authentication. */
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

    private static void run(Example example) {
        String variables = "URL=" + CLUSTER.url(2) + "\nTOKEN=" + token + "\nADMIN=" + LocalCluster.ADMIN_TOKEN + "\n";
        LocalCluster.Run run = CLUSTER.run(List.of("bash", "-euo", "pipefail", "-c", variables + example.script()));

        assertThat(run.exitCode()).as("exit code; output: %s", run.out()).isZero();
        List<String> lines = run.out().lines().toList();
        for (String expected : example.expected()) {
            assertThat(lines).as("a line like %s", expected).anyMatch(line -> Example.matches(expected, line));
        }
    }
}
