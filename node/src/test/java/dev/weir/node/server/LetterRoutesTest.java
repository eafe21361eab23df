package dev.weir.node.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LetterRoutesTest {
    private static final List<String> MEMBERS = List.of("table", "where", "dry_run");

    private static Optional<String> fault(String body) {
        return LetterRoutes.fault(new JsonObject(body), MEMBERS);
    }

    @Test
    void takesMembersThatItKnows() {
        assertThat(fault("{}")).isEmpty();
        assertThat(fault("{\"table\":\"cpu\",\"where\":\"time < 3\",\"dry_run\":false}"))
                .isEmpty();
    }

    @Test
    void takesNoConditionThatIsNullForNone() {
        assertThat(fault("{\"table\":\"cpu\",\"where\":null}"))
                .contains("member where: expected a value, found null: leave it out");
        assertThat(fault("{\"table\":\"cpu\",\"dry_run\":null}"))
                .contains("member dry_run: expected a value, found null: leave it out");
    }

    @Test
    void namesTheMemberThatItDoesNotKnow() {
        assertThat(fault("{\"table\":\"cpu\",\"were\":\"time < 3\"}"))
                .contains("unknown member were; expected table, where, dry_run");
    }
}
