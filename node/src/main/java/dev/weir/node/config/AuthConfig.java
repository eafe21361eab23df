package dev.weir.node.config;

import java.util.Optional;

/**
 * Who may call.
 *
 * @param adminToken the admin token; empty where authentication is off
 */
public record AuthConfig(Optional<String> adminToken) {
    static final int ADMIN_TOKEN_LENGTH_MIN = 16;

    public AuthConfig {
        if (adminToken.isPresent() && adminToken.get().length() < ADMIN_TOKEN_LENGTH_MIN) {
            throw new ConfigException("auth.admin-token-file: expected a token of at least " + ADMIN_TOKEN_LENGTH_MIN
                    + " characters, found " + adminToken.get().length());
        }
    }

    static AuthConfig of(Settings settings) {
        return new AuthConfig(settings.path("auth.admin-token-file")
                .map(file -> ClusterConfig.secretText("auth.admin-token-file", file)));
    }

    public boolean enabled() {
        return adminToken.isPresent();
    }

    @Override
    public String toString() {
        return "authentication " + (enabled() ? "on" : "off");
    }
}
