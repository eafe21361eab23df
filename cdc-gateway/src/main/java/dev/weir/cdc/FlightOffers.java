package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.TableSchema;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import org.apache.arrow.flight.FlightDescriptor;
import org.apache.arrow.flight.FlightEndpoint;
import org.apache.arrow.flight.FlightInfo;
import org.apache.arrow.flight.NoOpFlightProducer;
import org.apache.arrow.flight.Ticket;
import org.apache.arrow.flight.impl.Flight;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Tells which streams there are, and how they are opened. A descriptor's command is what a ticket is: so the ticket of an endpoint is the command, good at every node and for as long
 * as its cursor; where it is not said to be elsewhere, clients open it where they asked.
 */
final class FlightOffers extends NoOpFlightProducer {
    /** Of a stream nobody knows how much will come. */
    private static final long UNKNOWN = -1;

    private final Catalog catalog;

    FlightOffers(Catalog catalog) {
        this.catalog = catalog;
    }

    /** {@code ListFlights}: one stream for each table of the caller's tenant. Not by Arrow's own service, which knows nothing of its clients' pace. */
    void list(Flight.Criteria criteria, StreamObserver<byte[]> call) {
        String tenant = FlightAccess.tenant();
        if (!criteria.getExpression().isEmpty()) {
            call.onError(refused(
                    "criteria: expected none, found " + criteria.getExpression().size() + " bytes"));
            return;
        }
        List<String> tables = catalog.image().tables(tenant).stream()
                .map(TableSchema::name)
                .sorted(Comparator.naturalOrder())
                .toList();
        FlightListing.begin((ServerCallStreamObserver<byte[]>) call, tables.iterator(), table -> offer(tenant, table));
    }

    private static byte[] offer(String tenant, String table) {
        String command = new JsonObject().put("measurement", table).encode();
        return offer(tenant, FlightDescriptor.command(command.getBytes(StandardCharsets.UTF_8)))
                .serialize()
                .array();
    }

    @Override
    public FlightInfo getFlightInfo(CallContext context, FlightDescriptor descriptor) {
        String tenant = FlightAccess.tenant();
        if (!descriptor.isCommand()) {
            throw refused("descriptor: expected a command, the JSON that a ticket is, found a path");
        }
        return offer(tenant, descriptor);
    }

    private static FlightInfo offer(String tenant, FlightDescriptor descriptor) {
        byte[] command = descriptor.getCommand();
        return new FlightInfo(
                schema(tenant, command),
                descriptor,
                List.of(new FlightEndpoint(new Ticket(command))),
                UNKNOWN,
                UNKNOWN);
    }

    private static Schema schema(String tenant, byte[] command) {
        try {
            StreamLayout layout =
                    FlightRequest.read(tenant, command).arrow().orElseThrow().layout();
            return (layout == StreamLayout.FIXED ? CdcLayout.FIXED : CdcLayout.FULL).schema();
        } catch (RequestRefused e) {
            throw FlightStatus.of(e).asRuntimeException();
        }
    }

    private static RuntimeException refused(String message) {
        return FlightStatus.of(RequestRefused.of(ErrorCode.BAD_REQUEST, message))
                .asRuntimeException();
    }
}
