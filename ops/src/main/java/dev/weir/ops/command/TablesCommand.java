package dev.weir.ops.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.ops.client.ClusterClient;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code weir tables}: the tenant's tables, and one of them. */
@Command(
        name = "tables",
        mixinStandardHelpOptions = true,
        description = "The tenant's tables, with rows, files and bytes.",
        subcommands = {TablesCommand.ListTables.class, TablesCommand.Show.class})
public final class TablesCommand extends TableListing {
    /** {@code weir tables list}. */
    @Command(name = "list", mixinStandardHelpOptions = true, description = "All tables.")
    static final class ListTables extends TableListing {}

    /** {@code weir tables show}. */
    @Command(name = "show", mixinStandardHelpOptions = true, description = "A table: its columns, and how it is set.")
    static final class Show implements Callable<Integer> {
        @Parameters(paramLabel = "TABLE")
        String table = "";

        @Mixin
        ConnectionOptions connection = new ConnectionOptions();

        @Mixin
        OutputOptions output = new OutputOptions();

        @Override
        public Integer call() {
            String quoted = '"' + table.replace("\"", "\"\"") + '"';
            try (ClusterClient client = connection.open()) {
                JsonNode create = client.sql("SHOW CREATE TABLE " + quoted);
                JsonNode columns = client.sql("SHOW COLUMNS FROM " + quoted);
                String statement = create.path("rows").path(0).path(1).asText();
                if (output.json()) {
                    Map<String, Object> json = new LinkedHashMap<>();
                    json.put("name", create.path("rows").path(0).path(0).asText());
                    json.put("create_statement", statement);
                    json.put("columns", columns.path("rows"));
                    output.printJson(json);
                } else {
                    output.line(statement + "\n");
                    output.print(ReadCommand.table(columns));
                }
                return 0;
            }
        }
    }
}
