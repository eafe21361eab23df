package dev.weir.cdc;

import dev.weir.partition.feed.ChangeBatch;
import dev.weir.partition.feed.FeedPage;
import dev.weir.partition.model.EventType;
import dev.weir.partition.model.Operation;
import dev.weir.partition.model.Tag;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Encodes the events of a page that pass a filter, straight from the columns to bytes. One instance for one thread, one page at a time.
 *
 * <p>What is the same in many rows (names, tags of a series, commit time) is turned into bytes once a batch.
 */
final class FrameEncoder implements PageEncoder<EncodedPage> {
    private static final byte[] SEQ = JsonBytes.ascii("\ndata: {\"seq\":");
    private static final byte[] PREV = JsonBytes.ascii(",\"prev\":");
    private static final byte[] TIME = JsonBytes.ascii(",\"time\":");
    private static final byte[] TAGS = JsonBytes.ascii(",\"tags\":");
    private static final byte[] FIELDS = JsonBytes.ascii(",\"fields\":");
    private static final byte[] SERIES_HASH = JsonBytes.ascii(",\"series_hash\":\"");
    private static final byte[] DETAIL = JsonBytes.ascii(",\"detail\":");
    private static final byte[] END = JsonBytes.ascii("}\n\n");

    private static final int FIRST_BYTES_MAX = 2 * 1024 * 1024;
    /** Frames of most tables are shorter. */
    private static final int FRAME_BYTES = 768;

    private final RunKey key;
    private final TimeText time = new TimeText();
    private final JsonBytes scratch = new JsonBytes(512);
    private JsonBytes out = scratch;
    private int frameBytes = FRAME_BYTES;
    /** Rows of one step share a timestamp: its text is made once. */
    private long lastNanos;

    private byte[] lastPoint = new byte[0];
    private int[] places = new int[64];
    private long[] seqs = new long[16];
    private int count;

    FrameEncoder(RunKey key) {
        this.key = key;
    }

    @Override
    public EncodedPage encode(int partition, long fromSeq, FeedPage page) {
        List<ChangeBatch> wanted =
                page.batches().stream().filter(key.filter()::matches).toList();
        int rows = wanted.stream().mapToInt(ChangeBatch::count).sum();
        out = new JsonBytes((int) Math.min((long) rows * frameBytes, FIRST_BYTES_MAX));
        count = 0;
        for (ChangeBatch batch : wanted) {
            new BatchEncoder(batch).rows(fromSeq);
        }
        frameBytes = count == 0 ? frameBytes : out.length() / count * 9 / 8 + 16;
        int[] found = Arrays.copyOf(places, 3 * count + 1);
        found[3 * count] = out.length();
        boolean wasteful = out.array().length > out.length() / 2 * 3;
        byte[] bytes = wasteful ? out.copy() : out.array();
        return new EncodedPage(
                partition, fromSeq, page.nextSeq(), key.int64AsString(), bytes, found, Arrays.copyOf(seqs, count));
    }

    private void place(int start, int idAt, int prevAt, long seq) {
        if (count == seqs.length) {
            seqs = Arrays.copyOf(seqs, count * 2);
        }
        if (3 * count + 4 > places.length) {
            places = Arrays.copyOf(places, places.length * 2);
        }
        places[3 * count] = start;
        places[3 * count + 1] = idAt;
        places[3 * count + 2] = prevAt;
        seqs[count++] = seq;
    }

    /** The state of encoding one batch. */
    private final class BatchEncoder {
        private final ChangeBatch batch;
        private final boolean quoted = key.int64AsString();
        private final byte[] head;
        private final byte[] idPartition;
        private final Map<Operation, byte[]> middles = new EnumMap<>(Operation.class);
        private final byte[] tail;
        private final FieldsJson fields;
        private final byte[][] seriesTags;
        private final boolean[] seriesSeen;

        BatchEncoder(ChangeBatch batch) {
            this.batch = batch;
            this.head = JsonBytes.ascii("event: " + batch.type().wireName() + "\nid: ");
            this.idPartition = JsonBytes.ascii(";" + batch.partition() + ":");
            this.tail = tail();
            this.fields = new FieldsJson(batch.fields(), quoted);
            this.seriesTags = new byte[batch.seriesCount()][];
            this.seriesSeen = new boolean[batch.seriesCount()];
        }

        void rows(long fromSeq) {
            int from = (int) Math.max(0, fromSeq - batch.firstSeq());
            for (int row = from; row < batch.count(); row++) {
                int series = batch.series(row);
                byte[] tags = series < 0 ? TagsJson.NONE : tags(series);
                if (tags != null) {
                    row(row, series, tags);
                }
            }
        }

        private void row(int row, int series, byte[] tags) {
            long seq = batch.firstSeq() + row;
            int start = out.length();
            out.put(head);
            int idAt = out.length();
            out.put(idPartition);
            out.number(seq + 1);
            out.put(SEQ);
            out.number(seq, quoted);
            out.put(PREV);
            int prevAt = out.length();
            if (count == 0) {
                out.nothing();
            } else {
                out.number(seqs[count - 1], quoted);
            }
            out.put(middle(batch.operation(row)));
            point(row);
            out.put(TAGS);
            out.put(tags);
            out.put(FIELDS);
            fields.put(out, row);
            out.put(tail);
            if (batch.type() == EventType.SERIES_DELETED && series >= 0) {
                out.put(SERIES_HASH);
                out.hex(batch.seriesHash(series));
                out.put('"');
            }
            detail();
            out.put(END);
            place(start, idAt, prevAt, seq);
        }

        private void point(int row) {
            if (batch.type() != EventType.POINT_WRITTEN) {
                out.number(0, quoted);
                out.put(TIME);
                out.nothing();
                return;
            }
            long nanos = batch.timestampNanos(row);
            if (nanos != lastNanos || lastPoint.length == 0) {
                scratch.clear();
                scratch.number(nanos, quoted);
                scratch.put(TIME);
                time.put(scratch, nanos);
                lastPoint = scratch.copy();
                lastNanos = nanos;
            }
            out.put(lastPoint);
        }

        private void detail() {
            String detail = batch.detailJson();
            if (!detail.equals("{}")) {
                out.put(DETAIL);
                out.put(oneLine(detail));
            }
        }

        /** Null where the filter does not want the series. */
        private byte[] tags(int series) {
            if (!seriesSeen[series]) {
                seriesSeen[series] = true;
                List<Tag> tags = batch.seriesTags(series);
                seriesTags[series] = key.filter().matches(tags) ? TagsJson.bytes(scratch, tags) : null;
            }
            return seriesTags[series];
        }

        private byte[] middle(Operation operation) {
            byte[] known = middles.get(operation);
            if (known == null) {
                JsonBytes json = scratch;
                json.clear();
                json.put(JsonBytes.ascii(",\"partition\":" + batch.partition() + ",\"event_type\":\""
                        + batch.type().wireName() + "\",\"operation\":\"" + operation.wireName()
                        + "\",\"measurement\":"));
                json.string(batch.measurement());
                json.put(JsonBytes.ascii(",\"timestamp\":"));
                known = json.copy();
                middles.put(operation, known);
            }
            return known;
        }

        private byte[] tail() {
            JsonBytes json = scratch;
            json.clear();
            json.put(JsonBytes.ascii(",\"schema_version\":" + batch.schemaVersion() + ",\"committed_at\":"));
            time.put(json, batch.committedAtNanos());
            json.put(JsonBytes.ascii(",\"source\":\"log\""));
            return json.copy();
        }
    }

    /** JSON has line ends only between tokens, where a space says the same. */
    private static byte[] oneLine(String json) {
        return json.replace('\n', ' ').replace('\r', ' ').getBytes(StandardCharsets.UTF_8);
    }
}
