package dev.weir.node.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class ConfigReferenceTest {
    private static final Path PAGE = Path.of("..", "ops", "docs", "CONFIG.md");

    @Test
    void pageIsWhatTheKeysSay() throws IOException {
        if (Boolean.getBoolean("weir.docs.update")) {
            Files.writeString(PAGE, ConfigReference.markdown());
        }
        assertThat(PAGE).content().isEqualTo(ConfigReference.markdown());
    }

    @Test
    void everyKeyHasWords() {
        assertThat(ConfigKeys.ALL).allSatisfy(key -> assertThat(key.words()).endsWith("."));
    }
}
