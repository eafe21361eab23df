package dev.weir.query.sql.run;

import dev.weir.query.sql.image.ReadOptions;

/** A statement of a tenant. */
public record SqlRequest(String tenant, String text, ReadOptions options) {}
