package dev.weir.node.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** A token's text, which only {@link #reveal()} shows. */
public final class Secret {
    private final String text;

    Secret(String text) {
        this.text = text;
    }

    /** The text, to hand to the one who asked for it. */
    public String reveal() {
        return text;
    }

    /** SHA-256 in lower-case hex, as the catalog keeps it. */
    String sha256() {
        return HexFormat.of().formatHex(digest());
    }

    byte[] digest() {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "***";
    }
}
