package dev.weir.node.internal;

import dev.weir.query.sql.route.NodeNotice;
import dev.weir.query.sql.route.RoutedStatement;
import dev.weir.query.sql.route.RoutedStatement.Parameter;
import io.vertx.core.buffer.Buffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Statements that one node gives to another, and what nodes say of themselves so that it is the right one. */
public final class RouteMessages {
    /** Paths below {@code /internal/v1}. */
    public static final String STATEMENT = "/sql";

    public static final String NOTICE = "/sql/notice";

    private RouteMessages() {}

    static Buffer encode(RoutedStatement statement) {
        WireWriter out = new WireWriter(256 + statement.text().length())
                .putText(statement.tenant())
                .putText(statement.user())
                .putText(statement.text())
                .putText(statement.accept())
                .putInt(statement.parameters().size());
        statement
                .parameters()
                .forEach(parameter -> out.putText(parameter.name()).putText(parameter.value()));
        return out.buffer();
    }

    /** The message of {@link #STATEMENT}. */
    public static RoutedStatement decodeStatement(Buffer message) {
        WireReader in = new WireReader(message);
        String tenant = in.readText();
        String user = in.readText();
        String text = in.readText();
        String accept = in.readText();
        List<Parameter> parameters = new ArrayList<>();
        for (int left = in.readCount(8); left > 0; left--) {
            parameters.add(new Parameter(in.readText(), in.readText()));
        }
        return new RoutedStatement(tenant, user, text, accept, parameters);
    }

    /** The answer to {@link #NOTICE}. */
    public static Buffer encode(NodeNotice notice) {
        WireWriter out =
                new WireWriter(256).putText(notice.node()).putInt(notice.busy()).putInt(notice.seats());
        put(out, notice.heldBytes());
        put(out, notice.storedBytes());
        return out.buffer();
    }

    static NodeNotice decodeNotice(Buffer message) {
        WireReader in = new WireReader(message);
        return new NodeNotice(in.readText(), in.readInt(), in.readInt(), readSizes(in), readSizes(in));
    }

    private static void put(WireWriter out, Map<String, Long> sizes) {
        out.putInt(sizes.size());
        sizes.forEach((tenant, bytes) -> out.putText(tenant).putLong(bytes));
    }

    private static Map<String, Long> readSizes(WireReader in) {
        Map<String, Long> sizes = new HashMap<>();
        for (int left = in.readCount(12); left > 0; left--) {
            sizes.put(in.readText(), in.readLong());
        }
        return sizes;
    }
}
