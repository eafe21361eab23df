package dev.weir.partition.file;

import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;

/** Parquet's readers ask for a maker of records; we take values from columns and make none. */
final class NoRecords extends GroupConverter {
    private static final Converter VALUE = new PrimitiveConverter() {};

    private NoRecords() {}

    static GroupConverter root() {
        return new NoRecords();
    }

    @Override
    public Converter getConverter(int field) {
        return VALUE;
    }

    @Override
    public void start() {}

    @Override
    public void end() {}
}
