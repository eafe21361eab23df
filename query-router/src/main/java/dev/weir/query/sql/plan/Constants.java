package dev.weir.query.sql.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.OptionalLong;
import java.util.function.Function;

/** What expressions without columns stand for: applied to one, the time in nanoseconds; empty where it is none. */
public interface Constants extends Function<JsonNode, OptionalLong> {
    /** Nanoseconds of an interval. */
    OptionalLong width(JsonNode interval);
}
