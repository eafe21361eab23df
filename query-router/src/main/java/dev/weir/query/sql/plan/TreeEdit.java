package dev.weir.query.sql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.UnaryOperator;

/** Replaces nodes in place, children before parents. The operator gives back what it was given where nothing is to change. */
final class TreeEdit {
    private TreeEdit() {}

    static void everywhere(JsonNode root, UnaryOperator<ObjectNode> edit) {
        if (root instanceof ObjectNode object) {
            for (var field : object.properties()) {
                everywhere(field.getValue(), edit);
                if (field.getValue() instanceof ObjectNode child) {
                    field.setValue(edit.apply(child));
                }
            }
        } else if (root instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                everywhere(array.get(i), edit);
                if (array.get(i) instanceof ObjectNode child) {
                    array.set(i, edit.apply(child));
                }
            }
        }
    }
}
