package dev.weir.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The first command of the README, as packaged. */
final class QuickstartIT {
    private final LocalCluster none = LocalCluster.of(3);

    @Test
    void showsNoHoleAndLeavesNothingBehind() {
        assumeFalse(
                "follows".equals(System.getProperty("weir.quickstart")),
                "skipped: the quickstart itself runs after the tests (-Dweir.quickstart=follows)");
        Path folder = Path.of("target", "it", "quickstart").toAbsolutePath();

        LocalCluster.Run run = none.run(
                        List.of(LocalCluster.HOME.resolve("bin/quickstart").toString(), "--dir", folder.toString()))
                .orFail();

        assertThat(run.out())
                .contains("It is killed now, with -9")
                .contains("0 holes")
                .contains("Nothing is lost.");
        assertThat(folder).doesNotExist();
    }
}
