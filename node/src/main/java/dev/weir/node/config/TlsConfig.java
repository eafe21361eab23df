package dev.weir.node.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The PEM files of TLS on the ports for clients: HTTP and Flight.
 *
 * @param pair what this node shows; empty: its ports speak plain text
 * @param authorities of certificates that other nodes show; empty: those of the JDK and this node's own; any, where no pair is set either
 */
public record TlsConfig(Optional<Pair> pair, Optional<Path> authorities) {
    /**
     * Two files that belong together.
     *
     * @param certificate the chain, this node's own certificate first
     */
    public record Pair(Path certificate, Path key) {}

    static TlsConfig of(Settings settings) {
        Optional<Path> certificate = settings.path("http.tls.cert");
        Optional<Path> key = settings.path("http.tls.key");
        if (certificate.isPresent() != key.isPresent()) {
            throw new ConfigException("http.tls.cert, http.tls.key: expected both or neither, found only "
                    + certificate.map(path -> "http.tls.cert = " + path).orElse("http.tls.key = " + key.orElse(null)));
        }
        return new TlsConfig(
                certificate.flatMap(path -> key.map(keyPath -> new Pair(path, keyPath))), settings.path("http.tls.ca"));
    }

    public boolean isOn() {
        return pair.isPresent();
    }
}
