package dev.weir.node.auth;

import dev.weir.partition.catalog.CatalogFold;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.Scope;
import dev.weir.partition.catalog.TokenRecord;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Tells who calls, from what the request carries and the catalog's local image. Any thread; never blocks.
 *
 * <p>With an admin token every caller needs a token. Without one the caller is always the tenant {@code default} with all scopes, whatever
 * it sends.
 */
public final class Authenticator {
    private static final Caller ANYONE = new Caller(CatalogFold.DEFAULT_TENANT, EnumSet.allOf(Scope.class), "", false);
    private static final Caller ADMIN = new Caller("", Set.of(Scope.ADMIN), "admin", true);

    private final byte @Nullable [] adminDigest;
    private final Supplier<CatalogImage> images;

    /** @param adminToken the text of {@code auth.admin-token-file}; empty switches authentication off */
    public Authenticator(Optional<String> adminToken, Supplier<CatalogImage> images) {
        this.adminDigest = adminToken.map(text -> new Secret(text).digest()).orElse(null);
        this.images = images;
    }

    /** Who calls where authentication is off. */
    static Caller anyone() {
        return ANYONE;
    }

    public boolean enabled() {
        return adminDigest != null;
    }

    /**
     * @param authorization the {@code Authorization} header: Bearer, Token, or Basic with the token as password
     * @param password Influx's parameter {@code p}; used where there is no header
     * @return empty: no token, or none that is known
     */
    public Optional<Caller> authenticate(@Nullable String authorization, @Nullable String password) {
        byte[] admin = adminDigest;
        if (admin == null) {
            return Optional.of(ANYONE);
        }
        return Credentials.find(authorization, password).flatMap(secret -> verify(admin, secret));
    }

    /** Whether the caller's token is there still; those that need none are. A token's scopes never change. */
    public boolean isStill(Caller caller) {
        return !caller.authenticated()
                || caller.equals(ADMIN)
                || images.get().token(caller.tokenId()).isPresent();
    }

    /** Whether the request carries a token, of which nothing is known here. Arguments as of {@link #authenticate}. */
    public boolean misses(@Nullable String authorization, @Nullable String password) {
        return enabled()
                && Credentials.find(authorization, password).isPresent()
                && authenticate(authorization, password).isEmpty();
    }

    private Optional<Caller> verify(byte[] admin, Secret secret) {
        if (MessageDigest.isEqual(admin, secret.digest())) {
            return Optional.of(ADMIN);
        }
        String sha256 = secret.sha256();
        return images.get()
                .tokenByHash(sha256)
                .filter(token -> sameText(token.sha256(), sha256))
                .map(Authenticator::caller);
    }

    private static Caller caller(TokenRecord token) {
        return new Caller(token.tenant(), token.scopes(), token.id(), true);
    }

    private static boolean sameText(String a, String b) {
        return MessageDigest.isEqual(a.getBytes(StandardCharsets.US_ASCII), b.getBytes(StandardCharsets.US_ASCII));
    }
}
