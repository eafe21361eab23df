package dev.weir.query.sql.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The text of a tree around its string constants. Immutable.
 *
 * @param pieces one more than there are constants
 * @param order which constant stands behind each piece but the last
 */
record PrintedShape(List<String> pieces, List<Integer> order) {
    /** Unknown to users, so that they cannot write such a text. */
    private static final String MARK = "weir" + UUID.randomUUID().toString().replace("-", "") + "x";

    /**
     * A tree without what its string constants say, nor where they stand.
     *
     * @param values what they said
     */
    record Marked(ObjectNode statement, List<String> values) {
        static Marked of(JsonNode statement) {
            ObjectNode marked = statement.deepCopy();
            List<String> values = new ArrayList<>();
            Nodes.eachText(marked, constant -> {
                ObjectNode literal = (ObjectNode) constant.path("literal");
                values.add(literal.path("text").asText());
                literal.put("text", mark(values.size() - 1));
            });
            forgetPlaces(marked);
            return new Marked(marked, values);
        }

        /** Texts that DuckDB may print otherwise than between quotes are none that this serves for. */
        boolean isPlain() {
            return values.stream().allMatch(value -> value.chars().noneMatch(each -> each < ' '));
        }

        private static void forgetPlaces(JsonNode node) {
            if (node instanceof ObjectNode object && Nodes.location(node) >= 0) {
                object.set("query_location", IntNode.valueOf(0));
                object.set("query_location_length", IntNode.valueOf(0));
            }
            node.forEach(Marked::forgetPlaces);
        }
    }

    /**
     * Empty where not each of the constants stands in the text once.
     *
     * @param text of a marked tree
     */
    static Optional<PrintedShape> of(String text, int constants) {
        List<String> pieces = new ArrayList<>();
        List<Integer> order = new ArrayList<>();
        int done = 0;
        String opening = "'" + MARK;
        for (int at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, done)) {
            int digits = at + opening.length();
            int end = text.indexOf('\'', digits);
            order.add(Integer.parseInt(text, digits, end, 10));
            pieces.add(text.substring(done, at));
            done = end + 1;
        }
        pieces.add(text.substring(done));
        boolean isWhole = order.size() == constants
                && order.stream().distinct().count() == constants
                && pieces.stream().noneMatch(piece -> piece.contains(MARK));
        return isWhole ? Optional.of(new PrintedShape(List.copyOf(pieces), List.copyOf(order))) : Optional.empty();
    }

    /** Characters of its text. */
    int length() {
        return pieces.stream().mapToInt(String::length).sum();
    }

    String with(List<String> values) {
        StringBuilder text = new StringBuilder(pieces.getFirst());
        for (int i = 0; i < order.size(); i++) {
            text.append(StringLiterals.quoted(values.get(order.get(i)))).append(pieces.get(i + 1));
        }
        return text.toString();
    }

    private static String mark(int place) {
        return MARK + place;
    }
}
