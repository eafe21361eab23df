package dev.weir.partition.catalog;

import dev.weir.partition.model.FieldType;
import dev.weir.partition.model.Publication;
import java.time.Duration;
import java.util.Optional;

/** What an ALTER TABLE asks for. */
public sealed interface TableAlteration {
    /** The column gets an id that no column of the table has had, so older rows read NULL. */
    record AddColumn(ColumnWish column) implements TableAlteration {}

    /** A field goes, its id for good. Tags stay: they say which series a row belongs to. */
    record DropColumn(String column) implements TableAlteration {}

    /** Only int64 to float64, and only while no value beyond ±2^53 was accepted. */
    record WidenColumn(String column, FieldType type) implements TableAlteration {}

    /** What is empty stays as it is. */
    record Set(
            Optional<Boolean> strict,
            Optional<Duration> retention,
            Optional<Long> timeUnitNanos,
            Optional<Publication> published)
            implements TableAlteration {}
}
