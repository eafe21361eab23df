package dev.weir.wal.segment;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A file that is open while somebody uses it, once however many do. So open files are bounded by the segments in use.
 *
 * <p>The lock is held to count and to open, never during a read or write; a writer that holds a use waits for no I/O here.
 */
final class SharedFile {
    private final Opener opener;
    private final Path path;
    private SegmentFiles.@Nullable OpenFile file;
    private int users;

    /** How the file is opened. */
    interface Opener {
        SegmentFiles.OpenFile open(Path path) throws IOException;
    }

    SharedFile(Opener opener, Path path) {
        this.opener = opener;
        this.path = path;
    }

    SharedFile(SegmentFiles files, Path path) {
        this(files::open, path);
    }

    /** Of a file that its maker has open and uses. */
    SharedFile(SegmentFiles files, Path path, SegmentFiles.OpenFile file) {
        this(files, path);
        this.file = file;
        this.users = 1;
    }

    synchronized SegmentFiles.OpenFile acquire() throws IOException {
        SegmentFiles.OpenFile open = file;
        if (open == null) {
            open = opener.open(path);
            file = open;
        }
        users++;
        return open;
    }

    synchronized void release() throws IOException {
        SegmentFiles.OpenFile open = file;
        if (--users == 0 && open != null) {
            file = null;
            open.close();
        }
    }
}
