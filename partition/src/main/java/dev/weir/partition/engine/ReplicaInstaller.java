package dev.weir.partition.engine;

import dev.weir.wal.LogPosition;
import dev.weir.wal.segment.SegmentFile;
import dev.weir.wal.segment.SegmentFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Brings another node's snapshot here: into a folder of its own, then the manifest is switched to it. Until then the files in use are not
 * touched, so a crash or a broken connection at any point leaves what was here, and what was fetched is continued next time.
 *
 * <p>A file that is here already with the same checksum is linked; of one that has grown, what is here is taken over and the rest fetched.
 */
final class ReplicaInstaller {
    private static final int PIECE_BYTES = 1 << 20;

    private final SegmentFiles files;
    private final ReplicaFolder folder;
    private final String current;
    private final @Nullable ReplicaManifest local;
    private final ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    private long fetchedBytes;

    /**
     * @param current name of the data folder in use
     * @param local the newest manifest of this replica, if any
     */
    ReplicaInstaller(SegmentFiles files, ReplicaFolder folder, String current, @Nullable ReplicaManifest local) {
        this.files = files;
        this.folder = folder;
        this.current = current;
        this.local = local;
    }

    /** Returns the position that is durable here now. */
    LogPosition install(ReplicaSource.Transfer transfer, int partition, int generation) throws IOException {
        ReplicaManifest remote = ManifestCodec.decode(transfer.manifest());
        if (remote.partition() != partition || remote.generation() != generation) {
            throw new IOException("manifest: expected partition " + partition + " generation " + generation + ", found "
                    + remote.partition() + " and " + remote.generation());
        }
        String target = ReplicaFolder.after(current);
        folder.create(target);
        removeUnnamed(remote, target);
        for (SegmentFile file : remote.segments().files()) {
            segment(transfer, file, target);
        }
        DefinitionsFile.Extent definitions = remote.definitions();
        complete(
                transfer,
                ReplicaFolder.DEFINITIONS,
                folder.definitions(target),
                folder.definitions(current),
                definitions.bytes(),
                definitions.crc32c());
        for (KeyManifest.KeyFile file : remote.keys().files()) {
            keys(transfer, file, target);
        }
        files.syncDirectory(folder.segments(target));
        files.syncDirectory(folder.keys(target));
        folder.writeManifest(new ReplicaManifest(
                partition,
                generation,
                remote.position(),
                target,
                definitions,
                remote.segments(),
                remote.keys(),
                remote.facts()));
        return remote.position();
    }

    /** Bytes that came from the other node. */
    long fetchedBytes() {
        return fetchedBytes;
    }

    private void segment(ReplicaSource.Transfer transfer, SegmentFile file, String target) throws IOException {
        Path to = folder.segments(target).resolve(file.name());
        Path from = folder.segments(current).resolve(file.name());
        boolean same =
                file.sealed() && local != null && local.segments().files().contains(file);
        if (same && !Files.exists(to)) {
            Files.createLink(to, from);
        }
        if (!same) {
            complete(transfer, file.name(), to, from, file.bytes(), file.crc32c());
        }
    }

    /** Key files differ from node to node, even those of one name: nothing here helps. */
    private void keys(ReplicaSource.Transfer transfer, KeyManifest.KeyFile file, String target) throws IOException {
        Path to = folder.keys(target).resolve(file.name());
        complete(transfer, file.name(), to, to, file.bytes(), file.crc32c());
    }

    /** Makes {@code to} hold exactly what the manifest says, from what is there, what is here, and the other node. */
    private void complete(ReplicaSource.Transfer transfer, String name, Path to, Path from, long bytes, int crc)
            throws IOException {
        boolean begun = Files.exists(to);
        try (SegmentFiles.OpenFile file = begun ? files.open(to) : files.create(to)) {
            if (file.size() > bytes) {
                file.truncate(bytes);
            }
            if (file.size() == 0 && Files.exists(from)) {
                takeOver(from, file, bytes);
            }
            fetch(transfer, name, file, bytes);
            int found = checksum(file, bytes);
            if (found != crc) {
                file.truncate(0);
                fetch(transfer, name, file, bytes);
                found = checksum(file, bytes);
            }
            if (found != crc) {
                file.truncate(0);
                throw new IOException("file " + name + ": checksum of " + bytes + " bytes fetched: expected "
                        + Integer.toHexString(crc) + ", found " + Integer.toHexString(found));
            }
            file.force();
        }
    }

    private void takeOver(Path from, SegmentFiles.OpenFile to, long bytes) throws IOException {
        try (SegmentFiles.OpenFile file = files.open(from)) {
            long end = Math.min(bytes, file.size());
            for (long at = 0; at < end; at += piece.limit()) {
                piece.clear().limit((int) Math.min(PIECE_BYTES, end - at));
                file.read(piece, at);
                to.write(piece.flip(), at);
            }
        }
    }

    private void fetch(ReplicaSource.Transfer transfer, String name, SegmentFiles.OpenFile to, long bytes)
            throws IOException {
        long at = to.size();
        while (at < bytes) {
            piece.clear().limit((int) Math.min(PIECE_BYTES, bytes - at));
            int read = transfer.read(name, at, piece);
            if (read < 1) {
                throw new IOException("file " + name + " at " + at + ": expected " + (bytes - at)
                        + " more bytes from the other node, found none");
            }
            to.write(piece.flip(), at);
            at += read;
            fetchedBytes += read;
        }
    }

    private int checksum(SegmentFiles.OpenFile file, long bytes) throws IOException {
        CRC32C crc = new CRC32C();
        for (long at = 0; at < bytes; at += piece.limit()) {
            piece.clear().limit((int) Math.min(PIECE_BYTES, bytes - at));
            file.read(piece, at);
            crc.update(piece.flip());
        }
        return (int) crc.getValue();
    }

    private void removeUnnamed(ReplicaManifest remote, String target) throws IOException {
        Set<String> named = new HashSet<>();
        for (SegmentFile file : remote.segments().files()) {
            named.add(file.name());
        }
        remote.keys().files().forEach(file -> named.add(file.name()));
        for (Path inside : List.of(folder.segments(target), folder.keys(target))) {
            for (String name : files.list(inside)) {
                if (!named.contains(name)) {
                    files.delete(inside.resolve(name));
                }
            }
        }
    }
}
