package dev.weir.cdc;

import java.nio.charset.StandardCharsets;

/** What streams of history say in words, the same in all formats. */
final class HistoryText {
    private HistoryText() {}

    static String lost(String why) {
        JsonBytes json = new JsonBytes(256);
        json.put(
                JsonBytes.ascii("{\"code\":\"cursor_too_old\",\"hint\":\"begin again with from=snapshot\",\"error\":"));
        json.string("the rest of the snapshot is gone: " + why);
        json.put('}');
        return new String(json.copy(), StandardCharsets.UTF_8);
    }
}
