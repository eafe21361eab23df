package dev.weir.partition.entry;

import java.nio.ByteBuffer;

/**
 * Rows of one table under one schema version, encoded (columnar; see FORMATS). Built by {@link RowBlockBuilder} at the front door; its
 * columns travel unchanged into the log and the change segments.
 *
 * @param tenant owner of the table
 * @param tableId of the catalog
 * @param schemaVersion under which the rows were typed
 * @param rowCount rows in it, at least 1
 * @param bytes the encoding, with the schema and the tags of each series in full, closed by a checksum; read-only
 */
public record RowBlock(String tenant, int tableId, int schemaVersion, int rowCount, ByteBuffer bytes) {
    /**
     * Takes a block from its bytes alone, as another node sent them.
     *
     * @param bytes the block, to the buffer's limit; kept, so they must not change
     * @throws FormatException they are damaged
     */
    public static RowBlock parse(ByteBuffer bytes) {
        ByteBuffer own = bytes.slice();
        WireBlock block = WireBlock.parse(own);
        return new RowBlock(
                block.tenant(), block.tableId(), block.schemaVersion(), block.rows(), own.asReadOnlyBuffer());
    }
}
