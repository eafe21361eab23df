package dev.weir.query.sql.gate;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Set;

/** Tells expressions that aggregate from those that do not. */
public final class Aggregates {
    private static final Set<String> OURS = Set.of("rate", "increase", "delta");

    private Aggregates() {}

    public static boolean in(JsonNode expression) {
        if (Nodes.isClass(expression, "SUBQUERY")) {
            return false;
        }
        String name = Nodes.function(expression);
        if (Nodes.isClass(expression, "FUNCTION") && (AllowedFunctions.isAggregate(name) || OURS.contains(name))) {
            return true;
        }
        for (JsonNode child : expression) {
            if (in(child)) {
                return true;
            }
        }
        return false;
    }
}
