package dev.weir.node.auth;

import dev.weir.partition.catalog.Scope;
import dev.weir.partition.catalog.TokenRecord;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;

/**
 * A token just made: the record for the catalog, and the secret, which is shown once and kept nowhere.
 *
 * @param secret 32 random bytes, base64url without padding
 */
public record NewToken(TokenRecord record, Secret secret) {
    private static final int SECRET_BYTES = 32;
    private static final int ID_BYTES = 6;

    /** @param tenant empty for scope ADMIN alone */
    public static NewToken create(SecureRandom random, String tenant, Set<Scope> scopes, long nowNanos) {
        byte[] id = new byte[ID_BYTES];
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(id);
        random.nextBytes(bytes);
        Secret secret = new Secret(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        TokenRecord record = new TokenRecord(HexFormat.of().formatHex(id), secret.sha256(), tenant, scopes, nowNanos);
        return new NewToken(record, secret);
    }
}
