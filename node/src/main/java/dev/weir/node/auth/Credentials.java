package dev.weir.node.auth;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the token in a request: {@code Authorization: Bearer|Token|Basic}, else Influx's {@code p} (and {@code u}). */
final class Credentials {
    private Credentials() {}

    /**
     * @param authorization the header, null where there is none; wins over the parameters
     * @param password of the query parameters, null where there is none
     * @return empty where there is none, or where it can't be read
     */
    static Optional<Secret> find(@Nullable String authorization, @Nullable String password) {
        if (authorization != null && !authorization.isBlank()) {
            return ofHeader(authorization.strip());
        }
        return password == null ? Optional.empty() : secret(password);
    }

    private static Optional<Secret> ofHeader(String header) {
        int space = header.indexOf(' ');
        if (space < 0) {
            return Optional.empty();
        }
        String rest = header.substring(space + 1).strip();
        return switch (header.substring(0, space).toLowerCase(Locale.ROOT)) {
            case "bearer", "token" -> secret(rest);
            case "basic" -> ofBasic(rest);
            default -> Optional.empty();
        };
    }

    private static Optional<Secret> ofBasic(String base64) {
        try {
            String pair = new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
            int colon = pair.indexOf(':');
            return colon < 0 ? Optional.empty() : secret(pair.substring(colon + 1));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<Secret> secret(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(new Secret(text));
    }
}
