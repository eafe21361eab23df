package dev.weir.cdc.consumer;

import org.jspecify.annotations.Nullable;

/**
 * The place of a change event, read from the first three keys of its JSON, and the last, without a JSON library.
 *
 * @param prev seq of the event before it in this partition under the stream's filter; null on the first of a connection
 * @param source of a row of a snapshot or backfill the seq is that of the row's last change, and says nothing of the rows before
 */
public record ChangeHead(int partition, long seq, @Nullable Long prev, Outcome.Source source) {
    private static final String SNAPSHOT_END = ",\"source\":\"snapshot\"}";
    private static final String BACKFILL_END = ",\"source\":\"backfill\"}";

    public ChangeHead(int partition, long seq, @Nullable Long prev) {
        this(partition, seq, prev, Outcome.Source.LOG);
    }

    /** It is a row of a snapshot or backfill. */
    public boolean isRow() {
        return source != Outcome.Source.LOG;
    }

    /** @throws IllegalArgumentException the text does not begin with the keys {@code seq}, {@code prev} and {@code partition} */
    public static ChangeHead parse(String json) {
        Reader reader = new Reader(json);
        reader.expect("{\"seq\":");
        Long seq = reader.number();
        reader.expect(",\"prev\":");
        Long prev = reader.number();
        reader.expect(",\"partition\":");
        Long partition = reader.number();
        if (seq == null || partition == null) {
            throw reader.unexpected();
        }
        return new ChangeHead(Math.toIntExact(partition), seq, prev, source(json));
    }

    private static Outcome.Source source(String json) {
        if (json.endsWith(SNAPSHOT_END)) {
            return Outcome.Source.SNAPSHOT;
        }
        return json.endsWith(BACKFILL_END) ? Outcome.Source.BACKFILL : Outcome.Source.LOG;
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        void expect(String literal) {
            if (!text.startsWith(literal, at)) {
                throw unexpected();
            }
            at += literal.length();
        }

        @Nullable
        Long number() {
            if (text.startsWith("null", at)) {
                at += 4;
                return null;
            }
            boolean quoted = at < text.length() && text.charAt(at) == '"';
            int from = quoted ? at + 1 : at;
            int to = from;
            while (to < text.length() && text.charAt(to) >= '0' && text.charAt(to) <= '9') {
                to++;
            }
            if (to == from || to - from > 19) {
                throw unexpected();
            }
            at = quoted ? to + 1 : to;
            return Long.parseLong(text, from, to, 10);
        }

        IllegalArgumentException unexpected() {
            String shown = text.length() > 80 ? text.substring(0, 80) + "…" : text;
            return new IllegalArgumentException(
                    "expected {\"seq\":…,\"prev\":…,\"partition\":… as in a change event, found " + shown);
        }
    }
}
