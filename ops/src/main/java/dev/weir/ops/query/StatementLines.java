package dev.weir.ops.query;

import java.util.Locale;
import java.util.Set;
import org.jline.reader.EOFError;
import org.jline.reader.ParsedLine;
import org.jline.reader.impl.DefaultParser;

/** Lines belong together until a semicolon ends the last statement; quotes are SQL's business. */
final class StatementLines extends DefaultParser {
    private static final Set<String> ALONE = Set.of("", "exit", "quit", "help");

    StatementLines() {
        setQuoteChars(new char[0]);
        setEscapeChars(new char[0]);
    }

    @Override
    public ParsedLine parse(String line, int cursor, ParseContext context) {
        if (context == ParseContext.ACCEPT_LINE && !isWhole(line)) {
            throw new EOFError(-1, -1, "the statement goes on", ";");
        }
        return super.parse(line, cursor, context);
    }

    static boolean isWhole(String line) {
        return ALONE.contains(line.strip().toLowerCase(Locale.ROOT))
                || Statements.split(line).rest().isBlank();
    }

    @Override
    public boolean isDelimiterChar(CharSequence buffer, int at) {
        char letter = buffer.charAt(at);
        return Character.isWhitespace(letter) || "(),;=<>+-*/".indexOf(letter) >= 0;
    }
}
