package dev.weir.partition.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Digests of files. */
final class Sha256 {
    private static final int CHUNK_BYTES = 1 << 18;

    private Sha256() {}

    static MessageDigest start() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static byte[] ofFile(Path file) throws IOException {
        MessageDigest digest = start();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
            while (channel.read(chunk) >= 0) {
                digest.update(chunk.flip());
                chunk.clear();
            }
        }
        return digest.digest();
    }
}
