package dev.weir.node.internal;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Proves that a caller belongs to this cluster: two headers, its name and a digest of its secret (the secret itself never travels). */
public final class PeerAuth {
    static final String CLUSTER_HEADER = "Weir-Cluster";
    static final String PROOF_HEADER = "Weir-Cluster-Proof";

    private final String clusterName;
    private final String proof;

    public PeerAuth(String clusterName, String secret) {
        this.clusterName = clusterName;
        this.proof = digest("weir internal 1\n" + clusterName + "\n" + secret);
    }

    String cluster() {
        return clusterName;
    }

    String proof() {
        return proof;
    }

    /** Null when the caller may pass, else why not (names nothing of this cluster). */
    @Nullable
    String refusal(@Nullable String callersCluster, @Nullable String callersProof) {
        if (callersCluster == null || callersProof == null) {
            return "internal port: expected the headers " + CLUSTER_HEADER + " and " + PROOF_HEADER;
        }
        boolean same = clusterName.equals(callersCluster) && MessageDigest.isEqual(bytes(proof), bytes(callersProof));
        return same ? null : "internal port: foreign cluster or wrong secret";
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String digest(String text) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes(text)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
