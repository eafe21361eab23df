package dev.weir.node.tls;

import dev.weir.node.config.ConfigException;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManager;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A certificate chain and the key of its first certificate; one that was made belongs together and was valid then.
 *
 * @param expires when the first of the chain's certificates ends
 */
record CertifiedKey(PemKeyCertOptions options, List<X509Certificate> chain, PrivateKey privateKey, Instant expires) {
    private static final byte[] PROBE = new byte[32];

    /** @throws ConfigException says which of both can't be used, what was expected, and what was found */
    static CertifiedKey of(Vertx vertx, String certificateText, String keyText, Instant now) {
        List<X509Certificate> chain = PemText.certificates("http.tls.cert", certificateText);
        chain.forEach(each -> checkValid(each, now));
        PemKeyCertOptions options = new PemKeyCertOptions()
                .addCertValue(Buffer.buffer(certificateText))
                .addKeyValue(Buffer.buffer(keyText));
        PrivateKey key = checkedSame(chain.getFirst(), key(vertx, options, chain.getFirst(), keyText));
        Instant expires = chain.stream()
                .map(each -> each.getNotAfter().toInstant())
                .min(Instant::compareTo)
                .orElseThrow();
        return new CertifiedKey(options, chain, key, expires);
    }

    private static void checkValid(X509Certificate certificate, Instant now) {
        Instant from = certificate.getNotBefore().toInstant();
        Instant until = certificate.getNotAfter().toInstant();
        if (now.isBefore(from) || now.isAfter(until)) {
            throw new ConfigException("http.tls.cert: expected a certificate that is valid at " + now + ", found that "
                    + certificate.getSubjectX500Principal().getName() + " is valid from " + from + " to " + until);
        }
    }

    /** Null where the key is of another kind than the certificate. */
    private static @Nullable PrivateKey key(
            Vertx vertx, PemKeyCertOptions options, X509Certificate own, String keyText) {
        if (keyText.contains("ENCRYPTED")) {
            throw new ConfigException("http.tls.key: expected a key that is not encrypted, found an encrypted one");
        }
        try {
            for (KeyManager each : options.getKeyManagerFactory(vertx).getKeyManagers()) {
                if (each instanceof X509KeyManager keys) {
                    String[] names = keys.getServerAliases(own.getPublicKey().getAlgorithm(), null);
                    return names == null || names.length == 0 ? null : keys.getPrivateKey(names[0]);
                }
            }
        } catch (Exception e) { // what is declared; it tells how it is encoded, not what it is
            throw new ConfigException(expectedKeyOf(own) + ", in PEM form (-----BEGIN PRIVATE KEY-----,"
                    + " -----BEGIN RSA PRIVATE KEY----- or -----BEGIN EC PRIVATE KEY-----), found none that fits: "
                    + e.getMessage());
        }
        return null;
    }

    private static String expectedKeyOf(X509Certificate own) {
        return "http.tls.key: expected the " + own.getPublicKey().getAlgorithm() + " key of the certificate of "
                + own.getSubjectX500Principal().getName() + " (http.tls.cert)";
    }

    /** A key of another certificate would fail each handshake, and nothing before. */
    private static PrivateKey checkedSame(X509Certificate own, @Nullable PrivateKey key) {
        String kind = own.getPublicKey().getAlgorithm();
        String algorithm = switch (kind.toUpperCase(Locale.ROOT)) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default ->
                throw new ConfigException(
                        "http.tls.cert: expected a certificate of an RSA or EC key, found one of " + kind);
        };
        String expected = expectedKeyOf(own) + ", found ";
        if (key == null || !key.getAlgorithm().equals(kind)) {
            throw new ConfigException(expected + (key == null ? "another kind" : "one of " + key.getAlgorithm()));
        }
        try {
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(PROBE);
            byte[] signature = signer.sign();
            signer.initVerify(own.getPublicKey());
            signer.update(PROBE);
            if (!signer.verify(signature)) {
                throw new ConfigException(expected + "the key of another");
            }
            return key;
        } catch (GeneralSecurityException e) {
            throw new ConfigException(expected + "one that can't sign for it: " + e.getMessage());
        }
    }
}
