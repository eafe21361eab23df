package dev.weir.node.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogFold;
import dev.weir.partition.catalog.CatalogLimits;
import dev.weir.partition.catalog.FoldedImage;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.catalog.Scope;
import dev.weir.partition.placement.PlacementPlanner;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class AuthenticatorTest {
    private static final String ADMIN = "the-admin-token-of-this-test";

    private final NewToken token = NewToken.create(new SecureRandom(), "default", Set.of(Scope.WRITE, Scope.CDC), 17);
    private final Authenticator authenticator = new Authenticator(Optional.of(ADMIN), () -> image(token));

    @Test
    void tokenOpensItsTenantWithItsScopes() {
        String secret = token.secret().reveal();
        Caller expected = new Caller(
                "default", Set.of(Scope.WRITE, Scope.CDC), token.record().id(), true);

        assertThat(authenticator.authenticate("Bearer " + secret, null)).contains(expected);
        assertThat(authenticator.authenticate("Token " + secret, null)).contains(expected);
        assertThat(authenticator.authenticate("token  " + secret + " ", null)).contains(expected);
        assertThat(authenticator.authenticate(basic("anyone:" + secret), null)).contains(expected);
        assertThat(authenticator.authenticate(null, secret)).contains(expected);
        assertThat(expected.may(Scope.WRITE)).isTrue();
        assertThat(expected.may(Scope.READ)).isFalse();
    }

    @Test
    void adminTokenIsAdminAndReadsNoData() {
        Caller admin = authenticator.authenticate("Bearer " + ADMIN, null).orElseThrow();

        assertThat(admin.may(Scope.ADMIN)).isTrue();
        assertThat(admin.may(Scope.READ)).isFalse();
        assertThat(admin.tenant()).isEmpty();
    }

    @Test
    void whatIsNoTokenIsNobody() {
        String secret = token.secret().reveal();

        assertThat(authenticator.authenticate(null, null)).isEmpty();
        assertThat(authenticator.authenticate("", null)).isEmpty();
        assertThat(authenticator.authenticate("Bearer", null)).isEmpty();
        assertThat(authenticator.authenticate("Bearer ", null)).isEmpty();
        assertThat(authenticator.authenticate("Bearer " + secret + "x", null)).isEmpty();
        assertThat(authenticator.authenticate("Digest " + secret, null)).isEmpty();
        assertThat(authenticator.authenticate("Basic %%%", null)).isEmpty();
        assertThat(authenticator.authenticate(basic("no-colon"), null)).isEmpty();
        assertThat(authenticator.authenticate(null, "")).isEmpty();
        assertThat(authenticator.authenticate("Bearer " + token.record().sha256(), null))
                .isEmpty();
    }

    @Test
    void headerWinsOverParameters() {
        assertThat(authenticator.authenticate("Bearer wrong", token.secret().reveal()))
                .isEmpty();
    }

    @Test
    void withoutAdminTokenAnyoneIsTheDefaultTenant() {
        Authenticator open = new Authenticator(Optional.empty(), FoldedImage::empty);

        Caller caller = open.authenticate("Bearer whatever", null).orElseThrow();

        assertThat(open.enabled()).isFalse();
        assertThat(caller.tenant()).isEqualTo("default");
        assertThat(caller.authenticated()).isFalse();
        assertThat(Scope.values()).allMatch(caller::may);
    }

    @Test
    void secretsAreNotShown() {
        assertThat(token.toString()).doesNotContain(token.secret().reveal());
        assertThat(token.secret().toString()).isEqualTo("***");
        assertThat(token.secret().reveal()).hasSize(43);
    }

    private static String basic(String pair) {
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private static FoldedImage image(NewToken token) {
        CatalogCommand birth = new CatalogCommand.Birth(
                "c1", 1, List.of(new NodeRecord("n1", "h", 1, 2, 3, 0)), PlacementPlanner.birth(1, 1, List.of("n1")));
        FoldedImage born = CatalogFold.step(FoldedImage.empty(), 1, CatalogLimits.DEFAULTS, birth)
                .image();
        return CatalogFold.step(born, 2, CatalogLimits.DEFAULTS, new CatalogCommand.CreateToken(token.record()))
                .image();
    }
}
