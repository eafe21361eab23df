package dev.weir.query.sql.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.query.sql.gate.PrintedShape.Marked;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Statements often differ from earlier ones in their string literals alone, and DuckDB needs 1.5 ms to parse one and as much to print one. Of a shape that
 * comes again the tree and the text are kept, from which the next follow by putting in their literals. A shape is used only if the tree that it tells for other
 * literals is the one that DuckDB has for them; so nothing but the time changes.
 *
 * <p>Threading: any; bounded.
 */
public final class SelectShapes {
    /** Of the trees and of the texts each, as they count below. */
    public static final long BYTES_MAX = 16L << 20;

    /** Longer ones are rare, and not asked again and again. */
    private static final int LENGTH_MAX = 16 << 10;
    /** Of a tree as JSON. */
    private static final int TREE_LENGTH_MAX = 256 << 10;
    /** A tree in memory against its JSON, roughly. */
    private static final int TREE_RATIO = 8;

    private static final int CHARACTER_BYTES = 2;
    /** What the cache itself takes for one. */
    private static final int ENTRY_BYTES = 160;

    private final Cache<String, Known<ParsedShape>> trees = cache(shape -> TREE_RATIO * shape.length());
    private final Cache<String, Known<PrintedShape>> texts = cache(shape -> CHARACTER_BYTES * shape.length());

    /** How DuckDB does it. */
    interface Asking<A, B> {
        B ask(A of) throws SQLException;
    }

    /** Of a shape that was seen once, nothing is known but that; then either what follows from it, or that nothing does. */
    private record Known<T>(boolean isTried, Optional<T> shape) {
        static <T> Known<T> once() {
            return new Known<>(false, Optional.empty());
        }
    }

    private static <T> Cache<String, Known<T>> cache(ToIntFunction<T> bytes) {
        return Caffeine.newBuilder()
                .executor(Runnable::run)
                .maximumWeight(BYTES_MAX)
                .weigher((String key, Known<T> known) -> ENTRY_BYTES
                        + CHARACTER_BYTES * key.length()
                        + known.shape().map(bytes::applyAsInt).orElse(0))
                .build();
    }

    /** Bytes of what is kept. */
    public long bytes() {
        return weight(trees) + weight(texts);
    }

    private static long weight(Cache<?, ?> cache) {
        return cache.policy()
                .eviction()
                .map(each -> each.weightedSize())
                .orElse(OptionalLong.of(0))
                .orElse(0);
    }

    /** The tree of a statement, a new one each time. */
    ObjectNode parsed(String text, Asking<String, ObjectNode> duck) throws SQLException {
        StringLiterals literals =
                text.length() > LENGTH_MAX ? null : StringLiterals.of(text).orElse(null);
        if (literals == null) {
            return duck.ask(text);
        }
        String key = literals.key();
        Known<ParsedShape> known = trees.getIfPresent(key);
        if (known != null && known.shape().isPresent()) {
            return known.shape().get().with(literals.literals());
        }
        ObjectNode tree = duck.ask(text);
        if (known == null) {
            trees.put(key, Known.once());
        } else if (!known.isTried()) {
            trees.put(key, new Known<>(true, shape(tree.deepCopy(), literals, duck)));
        }
        return tree;
    }

    private static Optional<ParsedShape> shape(
            ObjectNode tree, StringLiterals literals, Asking<String, ObjectNode> duck) {
        Optional<ParsedShape> shape = ParsedShape.of(tree, literals.literals());
        List<String> others = literals.firstEqual().stream()
                .map(first -> "another " + "literal".repeat(first % 5) + first)
                .toList();
        String probe = literals.with(others);
        Function<ParsedShape, ObjectNode> told =
                each -> each.with(StringLiterals.of(probe).orElseThrow().literals());
        try {
            ObjectNode found = duck.ask(probe);
            return shape.filter(each -> told.apply(each).equals(found));
        } catch (SQLException | SqlRefusedException e) {
            // What such literals say matters to the parser.
            return Optional.empty();
        }
    }

    /** The text of a tree. */
    String printed(JsonNode statement, Asking<JsonNode, String> duck) throws SQLException {
        Marked marked = Marked.of(statement);
        String key = SelectParser.json(marked.statement());
        if (!marked.isPlain() || key.length() > TREE_LENGTH_MAX) {
            return duck.ask(statement);
        }
        Known<PrintedShape> known = texts.getIfPresent(key);
        if (known != null && known.shape().isPresent()) {
            return known.shape().get().with(marked.values());
        }
        if (known == null) {
            texts.put(key, Known.once());
        } else if (!known.isTried()) {
            String text = duck.ask(marked.statement());
            texts.put(
                    key, new Known<>(true, PrintedShape.of(text, marked.values().size())));
        }
        return duck.ask(statement);
    }
}
