package dev.weir.ops.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateFactory;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;

/**
 * Whose certificates are taken from nodes.
 *
 * @param authorities a PEM file; empty: those of the JDK
 */
public record Trust(Optional<Path> authorities) {
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\\s]*)-----END CERTIFICATE-----");
    /** How the JDK says it. */
    private static final Pattern OTHER_HOST = Pattern.compile("subject alternative|No name matching");

    private static final String PLAIN_TEXT = "plaintext connection";

    public static Trust ofJdk() {
        return new Trust(Optional.empty());
    }

    /**
     * Empty for that of the JDK.
     *
     * @throws CommandFailedException the file has no certificates
     */
    public Optional<SSLContext> context() {
        return authorities.map(Trust::context);
    }

    private static SSLContext context(Path file) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate each : certificates(file)) {
                store.setCertificateEntry(Integer.toString(store.size()), each);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException e) {
            throw CommandFailedException.refused("trusted certificates: expected a PEM file, " + file
                    + " can't be read: " + e.getClass().getSimpleName());
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw CommandFailedException.refused("trusted certificates of " + file + ": " + e.getMessage());
        }
    }

    /** What else is in the file, such as a key, is passed over. */
    private static List<Certificate> certificates(Path file) throws IOException, CertificateException {
        String text = Files.readString(file, StandardCharsets.ISO_8859_1);
        List<Certificate> found = new ArrayList<>();
        for (Matcher block = CERTIFICATE.matcher(text); block.find(); ) {
            byte[] der = Base64.getMimeDecoder().decode(block.group(1));
            found.add(CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der)));
        }
        if (found.isEmpty()) {
            throw CommandFailedException.refused(
                    "trusted certificates: expected PEM in " + file + ", found none in " + text.length() + " bytes");
        }
        return found;
    }

    /** What stands in the way of a TLS connection, and what to do; empty where the failure is another, or came later. */
    public Optional<String> complaint(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLHandshakeException handshake) {
                return Optional.of(handshakeComplaint(handshake));
            }
            if (cause instanceof SSLException plain
                    && String.valueOf(plain.getMessage()).contains(PLAIN_TEXT)) {
                return Optional.of("it does not speak TLS: ask by http://");
            }
        }
        return Optional.empty();
    }

    private static boolean isOfTime(Throwable failure) {
        return failure instanceof CertificateExpiredException || failure instanceof CertificateNotYetValidException;
    }

    private String handshakeComplaint(SSLHandshakeException failure) {
        Throwable last = failure;
        while (last.getCause() != null && !isOfTime(last)) {
            last = last.getCause();
        }
        String words = String.valueOf(last.getMessage());
        if (last instanceof CertificateExpiredException) {
            return "its certificate has expired (" + words + "): renew it there";
        }
        if (last instanceof CertificateNotYetValidException) {
            return "its certificate is not valid yet (" + words + "): look at the clocks here and there";
        }
        if (last instanceof CertificateException) {
            return OTHER_HOST.matcher(words).find()
                    ? "its certificate is for another host (" + words + "): ask by a name that it has"
                    : "its certificate can't be taken: " + words;
        }
        if (failure.getCause() == null) {
            return "no TLS with it: " + words;
        }
        return authorities
                .map(file -> "its certificate is not one of an authority in " + file
                        + " (--cacert): name the file that has it")
                .orElse(
                        "its certificate is of an authority that is not known here: name the PEM file of that authority by"
                                + " --cacert FILE (or WEIR_CACERT)");
    }
}
