package dev.weir.partition.engine;

import dev.weir.partition.engine.KeyManifest.KeyFile;
import dev.weir.partition.engine.KeyManifest.Run;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link KeyManifest} in a manifest, from its version 2 on; big-endian, texts as {@link java.io.DataOutputStream#writeUTF}.
 *
 * <pre>
 * i64 next run, u8 newest?: file
 * i32 runs, each: i64 first, i64 last, i64 points, file
 * i32 deletes, each: i32 series (below 0: all of the table -1 - series), i64 from, i64 to, i64 before run
 * file: text name, i64 bytes, u32 CRC-32C
 * </pre>
 */
final class KeyManifestCodec {
    private KeyManifestCodec() {}

    static void write(DataOutput out, KeyManifest keys) throws IOException {
        out.writeLong(keys.nextRun());
        KeyFile newest = keys.newest();
        out.writeBoolean(newest != null);
        if (newest != null) {
            write(out, newest);
        }
        out.writeInt(keys.runs().size());
        for (Run run : keys.runs()) {
            out.writeLong(run.first());
            out.writeLong(run.last());
            out.writeLong(run.points());
            write(out, run.file());
        }
        out.writeInt(keys.deletes().size());
        for (KeySpans.Span span : keys.deletes()) {
            out.writeInt(span.target());
            out.writeLong(span.from());
            out.writeLong(span.to());
            out.writeLong(span.beforeRun());
        }
    }

    static KeyManifest read(DataInput in) throws IOException {
        long nextRun = in.readLong();
        KeyFile newest = in.readBoolean() ? readFile(in) : null;
        List<Run> runs = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            runs.add(new Run(in.readLong(), in.readLong(), in.readLong(), readFile(in)));
        }
        List<KeySpans.Span> deletes = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            deletes.add(new KeySpans.Span(in.readInt(), in.readLong(), in.readLong(), in.readLong()));
        }
        return new KeyManifest(runs, newest, deletes, nextRun);
    }

    private static void write(DataOutput out, KeyFile file) throws IOException {
        out.writeUTF(file.name());
        out.writeLong(file.bytes());
        out.writeInt(file.crc32c());
    }

    private static KeyFile readFile(DataInput in) throws IOException {
        return new KeyFile(in.readUTF(), in.readLong(), in.readInt());
    }
}
