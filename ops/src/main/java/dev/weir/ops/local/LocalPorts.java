package dev.weir.ops.local;

import dev.weir.ops.client.CommandFailedException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Ports of a local cluster. They lie below the range that the kernel gives to outgoing connections. */
final class LocalPorts {
    private static final int LOWEST = 10_000;
    private static final int HIGHEST = 32_000;
    private static final int TRIES = 200;

    private LocalPorts() {}

    /** A first HTTP port with which all ports of all nodes are free at this moment. */
    static int freeBase(int nodes) {
        for (int i = 0; i < TRIES; i++) {
            int base = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (IntStream.rangeClosed(1, nodes)
                    .mapToObj(index -> LocalNode.of(Path.of(""), index, base))
                    .flatMapToInt(node -> Arrays.stream(node.ports()))
                    .allMatch(LocalPorts::isFree)) {
                return base;
            }
        }
        throw CommandFailedException.refused("no free ports found between " + LOWEST + " and " + HIGHEST);
    }

    static void requireFree(LocalNode node) {
        for (int port : node.ports()) {
            if (!isFree(port)) {
                throw CommandFailedException.refused("port " + port + ", which " + node.id() + " needs, is taken");
            }
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
