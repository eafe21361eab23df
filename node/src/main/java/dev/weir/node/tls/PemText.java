package dev.weir.node.tls;

import dev.weir.node.config.ConfigException;
import dev.weir.node.config.TlsConfig;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands in the PEM files at one moment; says nothing of whether it can be used. Equal texts mean that nothing has changed.
 *
 * @param certificate empty where the port speaks plain text, as is the key then
 */
record PemText(Optional<String> certificate, Optional<String> key, Optional<String> authorities) {
    private static final long BYTES_MAX = 1 << 20;
    private static final Pattern CERTIFICATE =
            Pattern.compile("-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\\s]*)-----END CERTIFICATE-----");

    /** @throws ConfigException a file can't be read */
    static PemText read(TlsConfig files) {
        return new PemText(
                files.pair().map(pair -> text("http.tls.cert", pair.certificate())),
                files.pair().map(pair -> text("http.tls.key", pair.key())),
                files.authorities().map(path -> text("http.tls.ca", path)));
    }

    private static String text(String configKey, Path file) {
        try {
            long size = Files.size(file);
            if (size > BYTES_MAX) {
                throw new ConfigException(
                        configKey + ": " + file + ": expected at most " + BYTES_MAX + " bytes, found " + size);
            }
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            throw new ConfigException(configKey + ": expected a PEM file, found no file " + file);
        } catch (IOException e) {
            throw new ConfigException(
                    configKey + ": " + file + " can't be read: " + e.getClass().getSimpleName());
        }
    }

    /**
     * The certificates of a text, in order, at least one.
     *
     * @param configKey names the text in errors
     */
    static List<X509Certificate> certificates(String configKey, String text) {
        List<X509Certificate> found = new ArrayList<>();
        for (Matcher block = CERTIFICATE.matcher(text); block.find(); ) {
            found.add(certificate(configKey, found.size() + 1, block.group(1)));
        }
        if (found.isEmpty()) {
            throw new ConfigException(configKey
                    + ": expected a certificate in PEM form (-----BEGIN CERTIFICATE-----), found none in "
                    + text.length() + " bytes");
        }
        return List.copyOf(found);
    }

    private static X509Certificate certificate(String configKey, int number, String base64) {
        try {
            byte[] der = Base64.getMimeDecoder().decode(base64);
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
        } catch (CertificateException | IllegalArgumentException e) {
            throw new ConfigException(
                    configKey + ": expected X.509, found that certificate " + number + " is none: " + e.getMessage());
        }
    }
}
