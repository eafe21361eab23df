package dev.weir.node.tls;

import dev.weir.node.config.TlsConfig;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.Optional;

/** A folder with the files that {@code http.tls.*} names, filled from the test's resources. */
record TlsFolder(Path folder) {
    TlsConfig withoutAuthorities() {
        return new TlsConfig(Optional.of(new TlsConfig.Pair(certificate(), key())), Optional.empty());
    }

    TlsConfig withAuthorities() {
        return new TlsConfig(Optional.of(new TlsConfig.Pair(certificate(), key())), Optional.of(authorities()));
    }

    Path certificate() {
        return folder.resolve("weir.crt");
    }

    Path key() {
        return folder.resolve("weir.key");
    }

    Path authorities() {
        return folder.resolve("ca.crt");
    }

    void putPair(String certificate, String key) throws IOException {
        Path newCertificate = written(certificate + ".crt", certificate());
        Path newKey = written(key + ".key", key());
        // One right after the other: whoever looks twice in between finds a pair that does not fit.
        Files.move(newCertificate, certificate(), StandardCopyOption.ATOMIC_MOVE);
        Files.move(newKey, key(), StandardCopyOption.ATOMIC_MOVE);
    }

    void putAuthorities(String resource) throws IOException {
        put(resource, authorities());
    }

    private static void put(String resource, Path to) throws IOException {
        Files.move(written(resource, to), to, StandardCopyOption.ATOMIC_MOVE);
    }

    private static Path written(String resource, Path beside) throws IOException {
        return Files.writeString(beside.resolveSibling(resource + ".new"), text(resource));
    }

    static String text(String resource) {
        try (InputStream in =
                Objects.requireNonNull(TlsFolder.class.getResourceAsStream("/tls/" + resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
