package dev.weir.node.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogFold;
import dev.weir.partition.catalog.CatalogLimits;
import dev.weir.partition.catalog.FoldedImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.Scope;
import dev.weir.partition.catalog.TokenRecord;
import dev.weir.partition.placement.PlacementPlanner;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class TicketsTest {
    private static final String QUERY = "measurement=cpu&tag.host=a%20b";
    private static final Instant MADE = Instant.parse("2026-11-30T12:00:00Z");

    private final TokenRecord token =
            new TokenRecord("0a1b2c", "7f".repeat(32), "plant7", Set.of(Scope.WRITE, Scope.CDC), 17);
    private final Caller caller = new Caller("plant7", Set.of(Scope.WRITE, Scope.CDC), "0a1b2c", true);
    private FoldedImage image = with(new CatalogCommand.CreateTenant("plant7"), new CatalogCommand.CreateToken(token));
    private Instant now = MADE;
    private final Tickets tickets = tickets("an-admin-token-of-16");

    private Tickets tickets(String adminToken) {
        return new Tickets(new Authenticator(Optional.ofNullable(adminToken), () -> image), () -> image, () -> now);
    }

    private static FoldedImage with(CatalogCommand... commands) {
        FoldedImage image = FoldedImage.empty();
        CatalogCommand birth = new CatalogCommand.Birth(
                "c1", 1, List.of(new NodeRecord("n1", "h", 1, 2, 3, 0)), PlacementPlanner.birth(1, 1, List.of("n1")));
        image = CatalogFold.step(image, 1, CatalogLimits.DEFAULTS, birth).image();
        for (int i = 0; i < commands.length; i++) {
            image = CatalogFold.step(image, 2 + i, CatalogLimits.DEFAULTS, commands[i])
                    .image();
        }
        return image;
    }

    private static void assertRefused(Tickets.Checked checked, String why) {
        assertThat(checked)
                .isInstanceOfSatisfying(
                        Tickets.Checked.Refused.class,
                        refused -> assertThat(refused.reason()).contains(why));
    }

    @Test
    void opensTheStreamThatItWasMadeForAndNothingElse() {
        Tickets.Made made = tickets.make(caller, QUERY);

        assertThat(tickets.check(made.text(), false))
                .isEqualTo(new Tickets.Checked.Valid(new Caller("plant7", Set.of(Scope.CDC), "0a1b2c", true), QUERY));
        assertThat(made.opensUntil()).isEqualTo(MADE.plusSeconds(60));
        assertThat(made.expiresAt()).isEqualTo(MADE.plusSeconds(24 * 3600));
    }

    @Test
    void opensForAMinuteAndGoesOnForADay() {
        String ticket = tickets.make(caller, QUERY).text();

        now = MADE.plusSeconds(60);
        assertThat(tickets.check(ticket, false)).isInstanceOf(Tickets.Checked.Valid.class);
        now = MADE.plusSeconds(66);
        assertRefused(tickets.check(ticket, false), "within 60 s, made 66 s ago");
        assertThat(tickets.check(ticket, true)).isInstanceOf(Tickets.Checked.Valid.class);
        now = MADE.plusSeconds(24 * 3600);
        assertThat(tickets.check(ticket, true)).isInstanceOf(Tickets.Checked.Valid.class);
        now = MADE.plusSeconds(24 * 3600 + 6);
        assertRefused(tickets.check(ticket, true), "good for 24 hours");
    }

    @Test
    void goesWithItsToken() {
        String ticket = tickets.make(caller, QUERY).text();

        image = with(
                new CatalogCommand.CreateTenant("plant7"),
                new CatalogCommand.CreateToken(token),
                new CatalogCommand.RevokeToken("0a1b2c"));

        assertRefused(tickets.check(ticket, true), "of a token that is there still");
    }

    @Test
    void needsATokenThatMayReadStreams() {
        String ticket = tickets.make(caller, QUERY).text();

        image = with(
                new CatalogCommand.CreateTenant("plant7"),
                new CatalogCommand.CreateToken(
                        new TokenRecord("0a1b2c", token.sha256(), "plant7", Set.of(Scope.WRITE), 17)));

        assertRefused(tickets.check(ticket, true), "expected one that");
    }

    @Test
    void refusesEveryChangedByte() {
        byte[] bytes = Base64.getUrlDecoder().decode(tickets.make(caller, QUERY).text());
        for (int at = 0; at < bytes.length; at++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] changed = bytes.clone();
                changed[at] ^= (byte) (1 << bit);
                String text = Base64.getUrlEncoder().withoutPadding().encodeToString(changed);
                assertThat(tickets.check(text, true))
                        .as("byte " + at + ", bit " + bit)
                        .isInstanceOf(Tickets.Checked.Refused.class);
            }
        }
        for (String text : List.of("", "x", "%%%", "AQ", "A".repeat(20_000))) {
            assertRefused(tickets.check(text, true), "expected one that");
        }
    }

    @Test
    void isBelievedByThoseAloneWhoHaveTheSameToken() {
        String ticket = tickets.make(caller, QUERY).text();

        image = with(
                new CatalogCommand.CreateTenant("plant7"),
                new CatalogCommand.CreateToken(
                        new TokenRecord("0a1b2c", "80".repeat(32), "plant7", Set.of(Scope.CDC), 17)));

        assertRefused(tickets.check(ticket, true), "expected one that");
    }

    @Test
    void worksWithoutAuthenticationAndNoLongerWithIt() {
        Tickets open = tickets(null);
        Caller anyone = Authenticator.anyone();

        String ticket = open.make(anyone, QUERY).text();

        assertThat(open.check(ticket, false)).isEqualTo(new Tickets.Checked.Valid(anyone, QUERY));
        assertRefused(tickets.check(ticket, false), "expected one that");
    }

    /** As FORMATS has it. */
    @Test
    void hasTheseBytes() {
        byte[] bytes =
                Base64.getUrlDecoder().decode(tickets.make(caller, "from=now").text());

        assertThat(HexFormat.of().formatHex(bytes))
                .isEqualTo("01" + "000000006b0d6540" + "0006" + "306131623263" + "0008" + "66726f6d3d6e6f77"
                        + "5e90f24aedfcb6d9500ceba911ca5a42cd22bd60f6653d46615902e2a3ec3f62");
    }
}
