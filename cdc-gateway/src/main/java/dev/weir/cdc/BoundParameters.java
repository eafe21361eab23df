package dev.weir.cdc;

import dev.weir.partition.model.ErrorCode;
import io.vertx.core.MultiMap;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/** The parameters of a stream that a ticket is for: they stand in the ticket, and its address adds only where to go on. */
final class BoundParameters {
    private static final String TICKET = "ticket";
    private static final String PLACE = "last_event_id";
    private static final Set<String> OF_ADDRESS = Set.of(TICKET, PLACE);

    private BoundParameters() {}

    /**
     * @param query what the ticket is for
     * @param address the parameters of the request's own address
     * @throws RequestRefused the address says more
     */
    static MultiMap of(String query, MultiMap address) {
        MultiMap parameters = parse(query);
        for (Map.Entry<String, String> parameter : address) {
            if (!OF_ADDRESS.contains(parameter.getKey())) {
                throw RequestRefused.of(
                        ErrorCode.BAD_REQUEST,
                        "parameter " + parameter.getKey() + ": a ticket is for one stream, expected beside it only "
                                + PLACE + "; make a ticket with this parameter");
            }
        }
        parameters.add(PLACE, address.getAll(PLACE));
        return parameters;
    }

    /**
     * Parameters for a ticket that is to be made.
     *
     * @throws RequestRefused there is one that belongs to the address
     * @throws IllegalArgumentException the text can't be read
     */
    static MultiMap forTicket(String query) {
        MultiMap parameters = parse(query);
        for (String name : OF_ADDRESS) {
            if (parameters.contains(name)) {
                throw RequestRefused.of(
                        ErrorCode.BAD_REQUEST,
                        "parameter " + name
                                + ": goes with the stream's address, expected those that say what it carries");
            }
        }
        return parameters;
    }

    private static MultiMap parse(String query) {
        MultiMap parameters = MultiMap.caseInsensitiveMultiMap();
        for (String part : query.split("&")) {
            int equals = part.indexOf('=');
            String name = equals < 0 ? part : part.substring(0, equals);
            if (!name.isEmpty()) {
                parameters.add(decoded(name), equals < 0 ? "" : decoded(part.substring(equals + 1)));
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
