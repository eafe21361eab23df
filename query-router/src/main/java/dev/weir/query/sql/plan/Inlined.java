package dev.weir.query.sql.plan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A text in which the names of views were replaced by what they stand for: that spares DuckDB to look at each twice. The names carry a mark that no user
 * can know, so nothing else in the text is taken for one.
 *
 * @param named the text before
 * @param text the text after
 */
public record Inlined(String named, String text, List<Piece> pieces) {
    public static final Inlined NONE = new Inlined("", "", List.of());

    /** In bytes: a name's place before, and its view's after. */
    private record Piece(int namedFrom, int namedTo, int from, int to) {}

    /** @param views name → its SELECT; all names match the pattern */
    public static Inlined of(String named, Pattern names, Map<String, String> views) {
        Matcher name = names.matcher(named);
        StringBuilder text = new StringBuilder();
        List<Piece> pieces = new ArrayList<>();
        int done = 0;
        int namedBytes = 0;
        int bytes = 0;
        while (name.find()) {
            String select = views.get(name.group());
            if (select == null) {
                continue;
            }
            String before = named.substring(done, name.start());
            String view = "(" + select + ")";
            text.append(before).append(view);
            namedBytes += length(before);
            bytes += length(before);
            pieces.add(new Piece(namedBytes, namedBytes + length(name.group()), bytes, bytes + length(view)));
            namedBytes += length(name.group());
            bytes += length(view);
            done = name.end();
        }
        return new Inlined(named, text.append(named, done, named.length()).toString(), pieces);
    }

    /** The byte before that a byte after came from; below 0 inside of a view. */
    public int namedLocation(int location) {
        int shift = 0;
        for (Piece piece : pieces) {
            if (location < piece.from) {
                break;
            }
            if (location < piece.to) {
                return -1;
            }
            shift = piece.namedTo - piece.to;
        }
        return location + shift;
    }

    private static int length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
