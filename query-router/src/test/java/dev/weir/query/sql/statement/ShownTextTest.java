package dev.weir.query.sql.statement;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ShownTextTest {
    @Test
    void showsAStatementAsItIs() {
        String text = "SELECT host, 'a=b' FROM cpu WHERE host = 'web-1'";
        assertThat(ShownText.of(text)).isEqualTo(text);
    }

    @Test
    void hidesWhatIsNamedLikeASecret() {
        assertThat(ShownText.of("SELECT 1 WHERE api_token = 'S3CRET' AND \"s3.secret-key\"='it''s S3CRET'"))
                .doesNotContain("S3CRET")
                .contains("api_token = '***'");
        assertThat(ShownText.of("CREATE STREAM s WITH (password 'S3CRET', topic = 't'"))
                .doesNotContain("S3CRET")
                .contains("topic = 't'");
        assertThat(ShownText.of("x password = 'S3CRET never ends")).doesNotContain("S3CRET");
    }

    @Test
    void cutsALongStatement() {
        String shown = ShownText.of("SELECT " + "x".repeat(10_000));
        assertThat(shown).hasSize(ShownText.CHARS_MAX + 1).endsWith("…");
    }
}
