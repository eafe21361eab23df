package dev.weir.ops.command;

import dev.weir.ops.client.ClusterClient;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;

/** The tenant's tables; what {@code weir tables} and {@code weir tables list} share. */
abstract class TableListing implements Callable<Integer> {
    @Mixin
    ConnectionOptions connection = new ConnectionOptions();

    @Mixin
    OutputOptions output = new OutputOptions();

    @Override
    public Integer call() {
        try (ClusterClient client = connection.open()) {
            output.answer(client.sql("SHOW TABLES"), ReadCommand::table);
            return 0;
        }
    }
}
