package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
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
            JsonNode answer = client.sql("SHOW TABLES");
            if (output.json()) {
                output.printJson(answer);
            } else {
                output.print(ReadCommand.table(answer));
            }
            return 0;
        }
    }
}
