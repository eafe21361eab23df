package dev.weir.node.tls;

import io.vertx.core.net.ClientSSLOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Whose certificates are taken from other nodes. Pure but for the certificates of the JDK. */
final class TrustedCertificates {
    private TrustedCertificates() {}

    /**
     * By what the files say. A node on which none of {@code http.tls.*} is set takes any certificate: all that it says to others goes in plain text, so a TLS connection that is
     * not checked hides more than it otherwise would, and nodes can be switched over one by one.
     *
     * @param own the chain that this node shows, empty where it shows none
     */
    static ClientSSLOptions options(PemText text, List<X509Certificate> own) {
        if (text.authorities().isPresent()) {
            return checked(
                    PemText.certificates("http.tls.ca", text.authorities().get()));
        }
        if (own.isEmpty()) {
            return any();
        }
        List<X509Certificate> all = new ArrayList<>(own);
        all.addAll(List.of(manager(null).getAcceptedIssuers()));
        return checked(all);
    }

    static ClientSSLOptions any() {
        return new ClientSSLOptions().setTrustAll(true).setHostnameVerificationAlgorithm("");
    }

    private static ClientSSLOptions checked(Collection<X509Certificate> trusted) {
        return new ClientSSLOptions()
                .setTrustOptions(TrustOptions.wrap(manager(trusted)))
                .setHostnameVerificationAlgorithm("HTTPS");
    }

    /** @param trusted null for those of the JDK */
    private static X509TrustManager manager(@Nullable Collection<X509Certificate> trusted) {
        try {
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(trusted == null ? null : store(trusted));
            for (TrustManager each : factory.getTrustManagers()) {
                if (each instanceof X509TrustManager manager) {
                    return manager;
                }
            }
            throw new IllegalStateException("every JDK checks X.509 certificates");
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("trusted certificates can't be kept in memory", e);
        }
    }

    private static KeyStore store(Collection<X509Certificate> trusted) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        int number = 0;
        for (X509Certificate each : trusted) {
            store.setCertificateEntry(Integer.toString(number++), each);
        }
        return store;
    }
}
