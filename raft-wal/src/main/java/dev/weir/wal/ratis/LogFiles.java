package dev.weir.wal.ratis;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Mends the log files of a closed group before Ratis opens them. Ratis repairs a last entry that is cut short; it gives up at anything
 * else that a crash leaves behind, and writes on at a wrong place where a snapshot is ahead of the log.
 *
 * <pre>
 * log_inprogress_&lt;first&gt;  |  log_&lt;first&gt;-&lt;last&gt;
 *   8 bytes   "RaftLog1"
 *   n times   varint length, entry, CRC-32C of both (big-endian)
 *   zeros     allocated ahead
 * </pre>
 *
 * <p>Only the last file is cut: an earlier one was synced whole, so a fault in it is damage, not a torn write, and Ratis refuses it.
 */
final class LogFiles {
    private static final Logger LOG = LoggerFactory.getLogger(LogFiles.class);
    private static final Pattern NAME = Pattern.compile("log_(?:inprogress_(\\d+)|(\\d+)-(\\d+))");
    private static final byte[] HEADER = {'R', 'a', 'f', 't', 'L', 'o', 'g', '1'};
    private static final int CHECKSUM_BYTES = Integer.BYTES;

    /** One log file; {@code last} is -1 for the one in progress. */
    private record LogFile(Path path, long first, long last) {
        boolean inProgress() {
            return last < 0;
        }
    }

    /** What a file holds before its first fault. */
    private record Content(long entries, int validBytes, boolean clean, long lastTerm) {}

    private LogFiles() {}

    /**
     * Mends the files in {@code directory}.
     *
     * @param snapshotIndex the last entry that the state's snapshot covers, -1 for none
     * @return the term of the last entry, 0 if there is none
     */
    static long mend(Path directory, long snapshotIndex) throws IOException {
        List<LogFile> files = list(directory);
        if (files.isEmpty()) {
            return 0;
        }
        LogFile lastFile = files.getLast();
        Content content = read(lastFile.path());
        cut(lastFile, content);
        if (content.entries() == 0) {
            return mend(directory, snapshotIndex); // the file before it is the last now
        }
        long lastIndex = last(lastFile, content);
        if (lastIndex < snapshotIndex) {
            // Written on, the log would have a gap between its end and the snapshot.
            LOG.info("{}: the log ends at {}, before the snapshot at {}: dropped", directory, lastIndex, snapshotIndex);
            for (LogFile file : list(directory)) {
                Files.delete(file.path());
            }
        } else if (files.getFirst().first() > snapshotIndex + 1) {
            throw new IOException(directory + ": the log begins at "
                    + files.getFirst().first() + ", expected at most one past the snapshot at " + snapshotIndex);
        }
        return content.lastTerm();
    }

    /** Cuts a file behind its last whole entry. */
    private static void cut(LogFile file, Content content) throws IOException {
        long expected = file.inProgress() ? content.entries() : file.last() - file.first() + 1;
        if (content.clean() && content.entries() == expected && content.entries() > 0) {
            return;
        }
        long dropped = Files.size(file.path()) - content.validBytes();
        if (content.entries() == 0) {
            LOG.warn("{}: no whole entry in its {} bytes, removed", file.path(), Files.size(file.path()));
            Files.delete(file.path());
            return;
        }
        LOG.warn("{}: torn behind entry {}, cut off {} bytes", file.path(), last(file, content), dropped);
        try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
            channel.truncate(content.validBytes());
            channel.force(true);
        }
        if (!file.inProgress()) {
            Files.move(file.path(), file.path().resolveSibling("log_" + file.first() + "-" + last(file, content)));
        }
    }

    private static long last(LogFile file, Content content) {
        return file.first() + content.entries() - 1;
    }

    private static Content read(Path path) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
        if (bytes.remaining() < HEADER.length || !bytes.slice(0, HEADER.length).equals(ByteBuffer.wrap(HEADER))) {
            return new Content(0, 0, false, 0);
        }
        bytes.position(HEADER.length);
        long entries = 0;
        int valid = bytes.position();
        ByteBuffer last = null;
        boolean whole = true;
        while (whole && bytes.hasRemaining() && bytes.get(bytes.position()) != 0) {
            ByteBuffer entry = readEntry(bytes);
            whole = entry != null;
            if (entry != null) {
                last = entry;
                entries++;
                valid = bytes.position();
            }
        }
        long lastTerm = last == null ? 0 : LogEntryProto.parseFrom(last).getTerm();
        return new Content(entries, valid, whole && zeros(bytes), lastTerm);
    }

    /** Reads one whole entry; null if there is none. */
    private static @Nullable ByteBuffer readEntry(ByteBuffer bytes) {
        int start = bytes.position();
        int length = 0;
        for (int shift = 0; ; shift += 7) {
            if (!bytes.hasRemaining() || shift > 28) {
                return null;
            }
            byte next = bytes.get();
            length |= (next & 0x7f) << shift;
            if (next >= 0) {
                break;
            }
        }
        if (length < 0 || length > bytes.remaining() - CHECKSUM_BYTES) {
            return null;
        }
        int end = bytes.position() + length;
        CRC32C checksum = new CRC32C();
        checksum.update(bytes.slice(start, end - start));
        ByteBuffer entry = bytes.slice(bytes.position(), length);
        bytes.position(end);
        return bytes.getInt() == (int) checksum.getValue() ? entry : null;
    }

    private static boolean zeros(ByteBuffer bytes) {
        while (bytes.remaining() >= Long.BYTES) {
            if (bytes.getLong() != 0) {
                return false;
            }
        }
        while (bytes.hasRemaining()) {
            if (bytes.get() != 0) {
                return false;
            }
        }
        return true;
    }

    private static List<LogFile> list(Path directory) throws IOException {
        List<LogFile> files = new ArrayList<>();
        if (!Files.isDirectory(directory)) {
            return files;
        }
        try (Stream<Path> paths = Files.list(directory)) {
            for (Path path : paths.toList()) {
                Matcher name = NAME.matcher(path.getFileName().toString());
                if (name.matches()) {
                    files.add(
                            name.group(1) != null
                                    ? new LogFile(path, Long.parseLong(name.group(1)), -1)
                                    : new LogFile(path, Long.parseLong(name.group(2)), Long.parseLong(name.group(3))));
                }
            }
        }
        files.sort(Comparator.comparingLong(LogFile::first));
        return files;
    }
}
