package dev.weir.node.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Where the HTTP port listens, and to whom.
 *
 * @param authenticated whether callers need a token
 * @param corsOrigins of browser pages that may call; {@code *} for all
 * @param tls whether the port speaks TLS, and whom this node trusts as a client of others
 */
public record HttpConfig(String host, int port, boolean authenticated, List<String> corsOrigins, TlsConfig tls) {
    private static final Pattern ORIGIN = Pattern.compile("[a-z][a-z0-9+.-]*://[^/?#@\\s\\p{Lu}]+");

    public HttpConfig {
        corsOrigins = List.copyOf(corsOrigins);
        if (!authenticated && !isLoopback(host)) {
            throw new ConfigException("http.host: expected a loopback address such as 127.0.0.1, found '" + host
                    + "': without authentication a node is reachable from its own machine only. To open it, write a"
                    + " long random text into a file, name that file as auth.admin-token-file on every node, and make"
                    + " tokens with 'weir tokens create'");
        }
        for (String origin : corsOrigins) {
            if (!origin.equals("*") && !ORIGIN.matcher(origin).matches()) {
                throw ConfigException.of(
                        "http.cors.origins",
                        "* or origins as browsers send them, in lower case and without a path, such as"
                                + " https://app.example.org:8443",
                        origin);
            }
        }
    }

    static HttpConfig of(Settings settings) {
        return new HttpConfig(
                settings.text("http.host"),
                settings.port("http.port"),
                settings.optional("auth.admin-token-file").isPresent(),
                settings.list("http.cors.origins"),
                TlsConfig.of(settings));
    }

    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw ConfigException.of("http.host", "an address of this machine", host);
        }
    }

    static boolean isWildcard(String host) {
        try {
            return InetAddress.getByName(host).isAnyLocalAddress();
        } catch (UnknownHostException e) {
            throw ConfigException.of("http.host", "an address of this machine", host);
        }
    }
}
