package dev.weir.node.internal;

import dev.weir.partition.engine.PartitionFiles;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** The messages by which the node that publishes tables learns of their files, and has some of them made one. */
final class FilesMessages {
    private FilesMessages() {}

    static Buffer encode(PartitionFiles files) {
        WireWriter out = new WireWriter(1024);
        out.putInt(files.partition()).putLong(files.throughSeq());
        ImageMessages.putFiles(out, files.files());
        ImageMessages.putDeletes(out, files.deletes());
        return out.buffer();
    }

    static PartitionFiles decodeFiles(Buffer message) {
        WireReader in = new WireReader(message);
        return new PartitionFiles(
                in.readInt(), in.readLong(), ImageMessages.readFiles(in), ImageMessages.readDeletes(in));
    }

    /** @param keys of files that are to become one */
    record Rewrite(int tableId, List<String> keys) {
        Rewrite {
            keys = List.copyOf(keys);
        }
    }

    static Buffer encode(Rewrite rewrite) {
        WireWriter out = new WireWriter(256);
        out.putInt(rewrite.tableId()).putInt(rewrite.keys().size());
        rewrite.keys().forEach(out::putText);
        return out.buffer();
    }

    static Rewrite decodeRewrite(Buffer message) {
        WireReader in = new WireReader(message);
        int tableId = in.readInt();
        List<String> keys = new ArrayList<>();
        for (int left = in.readCount(4); left > 0; left--) {
            keys.add(in.readText());
        }
        return new Rewrite(tableId, keys);
    }
}
