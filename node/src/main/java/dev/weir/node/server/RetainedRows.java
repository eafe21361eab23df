package dev.weir.node.server;

import dev.weir.node.internal.Attempt;
import dev.weir.partition.write.DeleteRequest;
import java.util.concurrent.CompletionStage;

/** A partition as retention sees it. */
interface RetainedRows {
    int partition();

    int generation();

    /** Rows are deleted through its leader alone. */
    boolean leads();

    /** No row of the table here is older; {@link Long#MAX_VALUE} where it has none. */
    long oldestNanos(int tableId);

    CompletionStage<Attempt> delete(DeleteRequest request);
}
