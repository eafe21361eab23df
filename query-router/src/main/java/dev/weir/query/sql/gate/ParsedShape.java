package dev.weir.query.sql.gate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.weir.query.sql.gate.StringLiterals.StringLiteral;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;

/** The tree of a statement, without what its string literals say: those of statements that differ in that alone follow from it. Immutable. */
final class ParsedShape {
    private final ObjectNode statement;
    private final List<StringLiteral> literals;
    /** Constant of the tree → which literal it is. */
    private final IdentityHashMap<JsonNode, Integer> places;

    private final int length;

    private ParsedShape(ObjectNode statement, List<StringLiteral> literals, IdentityHashMap<JsonNode, Integer> places) {
        this.statement = statement;
        this.literals = literals;
        this.places = places;
        this.length = SelectParser.json(statement).length();
    }

    /**
     * Empty where not each literal is one constant of the tree.
     *
     * @param statement is taken over
     */
    static Optional<ParsedShape> of(ObjectNode statement, List<StringLiteral> literals) {
        List<ObjectNode> constants = new ArrayList<>();
        Nodes.eachText(statement, constants::add);
        IdentityHashMap<JsonNode, Integer> places = new IdentityHashMap<>();
        for (ObjectNode constant : constants) {
            List<Integer> fitting = fitting(constant, literals);
            if (fitting.size() == 1) {
                places.put(constant, fitting.getFirst());
            }
        }
        boolean isWhole = places.size() == literals.size()
                && places.values().stream().distinct().count() == literals.size();
        if (!isWhole) {
            return Optional.empty();
        }
        // What they say is not kept: it may be long, and each statement brings its own.
        places.keySet().forEach(constant -> ((ObjectNode) constant.path("literal")).put("text", ""));
        List<StringLiteral> bare = literals.stream()
                .map(each -> new StringLiteral(each.from(), each.bytes(), ""))
                .toList();
        return Optional.of(new ParsedShape(statement, bare, places));
    }

    /** Characters of its tree as JSON. */
    int length() {
        return length;
    }

    private static List<Integer> fitting(ObjectNode constant, List<StringLiteral> literals) {
        int location = Nodes.location(constant);
        List<Integer> fitting = new ArrayList<>();
        for (int i = 0; i < literals.size(); i++) {
            boolean isThere = location < 0 || literals.get(i).from() == location;
            if (isThere && literals.get(i).value().equals(Nodes.text(constant))) {
                fitting.add(i);
            }
        }
        return fitting;
    }

    /** @param others as many, in the same order */
    ObjectNode with(List<StringLiteral> others) {
        return new Copy(others).of(statement);
    }

    private final class Copy {
        private final List<StringLiteral> others;

        Copy(List<StringLiteral> others) {
            this.others = others;
        }

        ObjectNode of(ObjectNode node) {
            ObjectNode copy = node.objectNode();
            for (var field : node.properties()) {
                copy.set(field.getKey(), of(field.getValue()));
            }
            Integer place = places.get(node);
            if (place != null) {
                ((ObjectNode) copy.path("literal"))
                        .set("text", TextNode.valueOf(others.get(place).value()));
            }
            int from = Nodes.location(node);
            if (from >= 0) {
                int to = from + node.path("query_location_length").asInt();
                copy.set("query_location", IntNode.valueOf(moved(from)));
                copy.set("query_location_length", IntNode.valueOf(moved(to) - moved(from)));
            }
            return copy;
        }

        private JsonNode of(JsonNode node) {
            if (node instanceof ObjectNode object) {
                return of(object);
            }
            if (node instanceof ArrayNode array) {
                ArrayNode copy = array.arrayNode(array.size());
                array.forEach(each -> copy.add(of(each)));
                return copy;
            }
            return node;
        }

        private int moved(int at) {
            int moved = at;
            for (int i = 0; i < literals.size() && literals.get(i).from() < at; i++) {
                moved += others.get(i).bytes() - literals.get(i).bytes();
            }
            return moved;
        }
    }
}
