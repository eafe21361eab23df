package dev.weir.ops.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** What the JDK throws, by what one can do about it; {@code TlsTest} has those that nodes cause. */
final class TrustTest {
    private static String complaint(Throwable cause) {
        Throwable handshake = new SSLHandshakeException("no handshake").initCause(cause);
        return Trust.ofJdk().complaint(new IOException(handshake)).orElseThrow();
    }

    private static Throwable ofPath(Throwable cause) {
        return new CertificateException(
                "PKIX path validation failed", new CertPathValidatorException("validity check failed", cause));
    }

    @Test
    void namesWhatIsWrongWithACertificate() {
        assertThat(complaint(ofPath(new CertificateExpiredException("NotAfter: Mon"))))
                .contains("has expired (NotAfter: Mon)", "renew it there");
        assertThat(complaint(ofPath(new CertificateNotYetValidException("NotBefore: Tue"))))
                .contains("is not valid yet (NotBefore: Tue)", "clocks");
        assertThat(complaint(new CertificateException("No name matching db1 found")))
                .contains("for another host (No name matching db1 found)");
        assertThat(complaint(
                        new CertificateException("No subject alternative names matching IP address 10.0.0.1 found")))
                .contains("for another host");
        assertThat(complaint(new CertificateException("Extended key usage does not permit use for TLS servers")))
                .contains("can't be taken: Extended key usage")
                .doesNotContain("another host");
    }

    @Test
    void otherFailuresAreNoMatterOfTrust() {
        assertThat(Trust.ofJdk().complaint(new IOException("Connection reset"))).isEmpty();
    }
}
