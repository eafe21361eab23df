package dev.weir.query.sql.statement;

import dev.weir.partition.model.ErrorCode;
import dev.weir.query.sql.gate.SqlRefusedException;
import dev.weir.query.sql.statement.grammar.WeirSqlLexer;
import dev.weir.query.sql.statement.grammar.WeirSqlParser;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.jspecify.annotations.Nullable;

/** Tells our statements from DuckDB's by their first word, and parses them. */
public final class StatementParser {
    private static final Pattern FIRST_WORD =
            Pattern.compile("\\A(?:\\s|--[^\\n]*(?:\\n|\\z)|/\\*.*?\\*/)*([A-Za-z]+)", Pattern.DOTALL);
    private static final Set<String> OURS =
            Set.of("INSERT", "DELETE", "CREATE", "ALTER", "DROP", "FLUSH", "COMPACT", "SHOW", "KILL");

    private final long nowNanos;

    public StatementParser(long nowNanos) {
        this.nowNanos = nowNanos;
    }

    /** The first word in upper case, comments apart; empty where there is none. */
    public static String firstWord(String text) {
        Matcher word = FIRST_WORD.matcher(text);
        return word.find() ? word.group(1).toUpperCase(Locale.ROOT) : "";
    }

    /** Whether it is one of ours, not DuckDB's. */
    public static boolean isOurs(String text) {
        return OURS.contains(firstWord(text));
    }

    /**
     * The statement, or empty where it is for DuckDB.
     *
     * @throws SqlRefusedException a syntax error, and where
     */
    public Optional<Statement> parse(String text) {
        if (!isOurs(text)) {
            return Optional.empty();
        }
        WeirSqlLexer lexer = new WeirSqlLexer(CharStreams.fromString(text));
        lexer.removeErrorListeners();
        WeirSqlParser parser = new WeirSqlParser(new CommonTokenStream(lexer));
        parser.removeErrorListeners();
        parser.addErrorListener(new Refusing(text));
        return Optional.of(new StatementBuilder(text, nowNanos).statement(parser.statement()));
    }

    /** The first error ends it. */
    private static final class Refusing extends BaseErrorListener {
        private final String text;

        Refusing(String text) {
            this.text = text;
        }

        @Override
        public void syntaxError(
                Recognizer<?, ?> recognizer,
                @Nullable Object symbol,
                int line,
                int column,
                String message,
                @Nullable RecognitionException cause) {
            int start = symbol instanceof Token token ? token.getStartIndex() : -1;
            throw new SqlRefusedException(
                    ErrorCode.SYNTAX, message.replace("<EOF>", "the end"), start < 0 ? 0 : position(text, start));
        }
    }

    /** ANTLR counts code points. */
    static int position(String text, int codePoint) {
        int points = text.codePointCount(0, text.length());
        return text.offsetByCodePoints(0, Math.min(codePoint, points)) + 1;
    }
}
