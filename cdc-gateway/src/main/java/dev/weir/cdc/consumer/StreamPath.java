package dev.weir.cdc.consumer;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where on a node a stream is asked for.
 *
 * @param path before the parameters
 * @param member of a group; null where there is none
 * @param ownPlace its reader keeps its place, and hands it in; else the cluster does
 */
record StreamPath(String path, @Nullable String member, boolean ownPlace) {
    /** The stream of whoever keeps its place by itself. */
    static final StreamPath OWN = new StreamPath("/api/v1/cdc/stream", null, true);

    private static final String SUBSCRIPTIONS = "/api/v1/cdc/subscriptions/";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

    static StreamPath subscription(String name, @Nullable String member) {
        requireName("a subscription's name", name);
        if (member != null) {
            requireName("a member's name", member);
        }
        return new StreamPath(SUBSCRIPTIONS + name + "/stream", member, false);
    }

    static String acknowledge(String subscription) {
        return SUBSCRIPTIONS + subscription + "/ack";
    }

    private static void requireName(String what, String found) {
        if (!NAME.matcher(found).matches()) {
            throw new IllegalArgumentException(
                    what + ": expected 1 to 64 letters, digits, _, - or ., a letter or digit first, found " + found);
        }
    }
}
