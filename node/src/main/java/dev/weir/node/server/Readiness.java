package dev.weir.node.server;

import dev.weir.node.cluster.BootStatus;
import dev.weir.partition.model.ErrorCode;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a node says of itself before and while it serves: why it is not ready, and what it answers where no route does.
 *
 * <p>Told by the thread that starts the node, part by part as they are made; asked from any thread.
 */
final class Readiness {
    private static final BootStatus NOT_YET = new BootStatus(BootStatus.Phase.STARTING, "starting");

    private volatile Supplier<BootStatus> boot = () -> NOT_YET;
    private volatile Supplier<List<String>> replicas = List::of;
    private volatile Supplier<List<String>> leadership = List::of;
    private volatile boolean serving;

    void boots(Supplier<BootStatus> status) {
        boot = status;
    }

    /** @param lacks why this node's replicas don't serve all that they should */
    void holds(Supplier<List<String>> lacks) {
        replicas = lacks;
    }

    /** @param causes why this node should not lead */
    void leads(Supplier<List<String>> causes) {
        leadership = causes;
    }

    /** All routes are mounted. */
    void serves() {
        serving = true;
    }

    void stops() {
        serving = false;
    }

    /** Why this node is not ready; empty when it is. */
    List<String> causes() {
        BootStatus status = boot.get();
        if (!status.open()) {
            return List.of(status.text());
        }
        List<String> causes = new ArrayList<>(replicas.get());
        causes.addAll(leadership.get());
        if (causes.isEmpty() && !serving) {
            causes.add("the edges are not mounted yet");
        }
        return causes;
    }

    /** Answers what no route has answered. */
    void otherwise(RoutingContext context) {
        if (serving) {
            Answers.refuse(context, ErrorCode.NOT_FOUND, "no such resource");
        } else {
            Answers.refuse(context, ErrorCode.STARTING, "this node is starting: " + String.join("; ", causes()));
        }
    }
}
