package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is packed, and that the command line runs from it. */
final class DistributionIT {
    private final LocalCluster none = LocalCluster.of(1);

    @Test
    void holdsWhatItPromises() throws IOException {
        for (String file :
                List.of("bin/weir", "bin/quickstart", "conf/weir.conf", "docs/HTTP.md", "LICENSE", "README.md")) {
            assertThat(LocalCluster.HOME.resolve(file)).exists();
        }
        assertThat(jars("lib/node"))
                .anyMatch(jar -> jar.startsWith("node-"))
                .noneMatch(jar -> jar.startsWith("picocli"));
        assertThat(jars("lib/ops"))
                .anyMatch(jar -> jar.startsWith("ops-"))
                .noneMatch(jar -> jar.startsWith("vertx") || jar.startsWith("partition"));
        assertThat(Path.of("target", "weir-" + System.getProperty("weir.version") + ".tar.gz"))
                .exists();
    }

    @Test
    void saysItsVersion() {
        assertThat(none.weir("--version").orFail().out())
                .isEqualTo("weir " + System.getProperty("weir.version") + "\n");
    }

    @Test
    void namesTheMissingJdk() {
        LocalCluster.Run run = none.run(List.of(
                "env",
                "-i",
                "PATH=/usr/bin:/bin",
                "HOME=/nonexistent",
                "WEIR_JVM_FOLDERS=/nonexistent",
                LocalCluster.HOME.resolve("bin/weir").toString(),
                "status"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.out()).contains("no JDK 25 found").contains("/nonexistent");
    }

    private static List<String> jars(String folder) throws IOException {
        try (Stream<Path> files = Files.list(LocalCluster.HOME.resolve(folder))) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
