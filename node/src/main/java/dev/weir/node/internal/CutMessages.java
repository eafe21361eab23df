package dev.weir.node.internal;

import dev.weir.partition.engine.CutPlace;
import dev.weir.partition.engine.CutRequest;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;

/** The messages by which a partition's leader is asked for a cut of tables. */
final class CutMessages {
    private static final int TEXT_BYTES_MIN = 4;

    private CutMessages() {}

    static Buffer encode(CutRequest request) {
        WireWriter out = new WireWriter(256);
        out.putText(request.tenant()).putInt(request.tables().size());
        request.tables().forEach(out::putText);
        return out.putText(request.leaseId()).buffer();
    }

    static CutRequest decodeRequest(Buffer message) {
        WireReader in = new WireReader(message);
        String tenant = in.readText();
        List<String> tables = new ArrayList<>();
        for (int left = in.readCount(TEXT_BYTES_MIN); left > 0; left--) {
            tables.add(in.readText());
        }
        return new CutRequest(tenant, tables, in.readText());
    }

    static Buffer encode(CutPlace place) {
        return new WireWriter(32)
                .putInt(place.partition())
                .putLong(place.fromSeq())
                .putLong(place.cutSeq())
                .buffer();
    }

    static CutPlace decodePlace(Buffer message) {
        WireReader in = new WireReader(message);
        return new CutPlace(in.readInt(), in.readLong(), in.readLong());
    }
}
