package dev.weir.cdc;

import java.nio.charset.StandardCharsets;

/** What streams of history say in words, the same in all formats. */
final class HistoryText {
    /** For a place in history that is held no more. */
    static final String HINT = "begin again with from=snapshot, or from an earlier id of the log with on_gap=backfill";

    private HistoryText() {}

    static String lost(String why) {
        JsonBytes json = new JsonBytes(256);
        json.put(JsonBytes.ascii("{\"code\":\"cursor_too_old\",\"hint\":"));
        json.string(HINT);
        json.put(JsonBytes.ascii(",\"error\":"));
        json.string("the rest of the snapshot or backfill is gone: " + why);
        json.put('}');
        return new String(json.copy(), StandardCharsets.UTF_8);
    }
}
