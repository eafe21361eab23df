package dev.weir.wal.ratis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mends the file {@code raft-meta}, in which Ratis keeps its term and vote. On a full disk Ratis replaces it by an empty one and then
 * cannot open the group any more.
 *
 * <p>What was lost is replaced by a later term without a vote, so that no vote is given twice. Once, this makes the others elect
 * again.
 */
final class VoteFile {
    private static final Logger LOG = LoggerFactory.getLogger(VoteFile.class);
    /** More terms than may have passed unlogged before the loss. */
    private static final long UNKNOWN_TERMS = 1_000;

    private VoteFile() {}

    /**
     * @param current the folder of Ratis's files
     * @param lastLogTerm the term of the last entry in the log or the snapshot
     * @param knownTerm the highest term that this process has seen in the group, -1 if it has not had it open
     */
    static void mend(Path current, long lastLogTerm, long knownTerm) throws IOException {
        Path file = current.resolve("raft-meta");
        if (!Files.exists(file) || Files.readString(file).contains("term=")) {
            return;
        }
        long term = knownTerm >= 0 ? Math.max(knownTerm, lastLogTerm) + 1 : lastLogTerm + UNKNOWN_TERMS;
        LOG.warn("{}: term and vote were lost, goes on with term {}", file, term);
        Path temporary = current.resolve("raft-meta.mend");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            ByteBuffer text = StandardCharsets.UTF_8.encode("term=" + term + "\nvotedFor=\n");
            while (text.hasRemaining()) {
                channel.write(text);
            }
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
