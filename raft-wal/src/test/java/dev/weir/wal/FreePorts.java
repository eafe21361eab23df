package dev.weir.wal;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers of tests that have to be named before they listen. They lie below those that the system gives to connections, and to servers that ask for
 * any: one of these would take a port in the moment between its being found and its being used. None comes twice in one JVM.
 */
public final class FreePorts {
    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 32_000;
    private static final int TRIES = 1_000;
    private static final Set<Integer> GIVEN = new HashSet<>();

    private FreePorts() {}

    public static int next() {
        for (int i = 0; i < TRIES; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            synchronized (GIVEN) {
                if (!GIVEN.contains(port) && isFree(port)) {
                    GIVEN.add(port);
                    return port;
                }
            }
        }
        throw new IllegalStateException("no free port found between " + LOWEST + " and " + HIGHEST);
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
