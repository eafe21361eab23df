package dev.weir.node.tls;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificate of the moment, for ports that Vert.x does not serve. One that was renewed is shown from the next connection on; a connection that is being
 * made meanwhile may fail.
 */
final class CurrentKey extends X509ExtendedKeyManager {
    private static final String ALIAS = "weir";

    private final Supplier<CertifiedKey> now;

    CurrentKey(Supplier<CertifiedKey> now) {
        this.now = now;
    }

    @Override
    public @Nullable String chooseEngineServerAlias(String keyType, Principal[] issuers, SSLEngine engine) {
        return now.get().privateKey().getAlgorithm().equals(keyType) ? ALIAS : null;
    }

    @Override
    public @Nullable String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
        return now.get().privateKey().getAlgorithm().equals(keyType) ? ALIAS : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
        return now.get().chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
        return now.get().privateKey();
    }

    @Override
    public String[] getServerAliases(String keyType, Principal[] issuers) {
        return new String[] {ALIAS};
    }

    /** It is no client's. */
    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal[] issuers) {
        return null;
    }

    @Override
    public @Nullable String chooseClientAlias(String[] keyTypes, Principal[] issuers, Socket socket) {
        return null;
    }
}
