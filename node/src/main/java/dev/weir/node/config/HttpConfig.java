package dev.weir.node.config;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Where the HTTP port listens.
 *
 * @param authenticated whether callers need a token
 */
public record HttpConfig(String host, int port, boolean authenticated) {
    public HttpConfig {
        if (!authenticated && !isLoopback(host)) {
            throw new ConfigException("http.host: expected a loopback address such as 127.0.0.1, found '" + host
                    + "': without authentication a node is reachable from its own machine only. To open it, write a"
                    + " long random text into a file, name that file as auth.admin-token-file on every node, and make"
                    + " tokens with 'weir tokens create'");
        }
    }

    static HttpConfig of(Settings settings) {
        return new HttpConfig(
                settings.text("http.host"),
                settings.port("http.port"),
                settings.optional("auth.admin-token-file").isPresent());
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
