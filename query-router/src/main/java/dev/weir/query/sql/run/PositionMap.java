package dev.weir.query.sql.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.query.sql.gate.Nodes;
import dev.weir.query.sql.gate.SelectTree;

/**
 * Where in the user's text something is that DuckDB found in the text that it ran. Both trees have one shape: the first keeps the places of the user's
 * text, the second has those of the other.
 */
final class PositionMap {
    private final int location;

    private PositionMap(int location) {
        this.location = location;
    }

    /** A character from 1; 0 where it cannot be told. */
    static int position(SelectTree users, SelectTree ran, int location) {
        return users.position(new PositionMap(location).find(users.query(), ran.query()));
    }

    private int find(JsonNode users, JsonNode ran) {
        if (users.getNodeType() != ran.getNodeType() || users.size() != ran.size()) {
            return -1;
        }
        if (ran.isObject() && Nodes.location(ran) == location && Nodes.location(users) >= 0) {
            return Nodes.location(users);
        }
        if (ran.isArray()) {
            for (int i = 0; i < ran.size(); i++) {
                int found = find(users.get(i), ran.get(i));
                if (found >= 0) {
                    return found;
                }
            }
        } else if (ran.isObject()) {
            for (var field : ran.properties()) {
                JsonNode other = users.get(field.getKey());
                int found = other == null ? -1 : find(other, field.getValue());
                if (found >= 0) {
                    return found;
                }
            }
        }
        return -1;
    }
}
