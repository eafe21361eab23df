package dev.weir.cdc;

import dev.weir.partition.catalog.Catalog;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLException;
import org.apache.arrow.flight.FlightGrpcUtils;
import org.apache.arrow.flight.auth.ServerAuthHandler;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/**
 * The port on which a node answers Arrow Flight (see ops/docs/CDC.md). Its streams are those of the {@link CdcRoutes} that it is given: they count for the same limits, and
 * {@link CdcRoutes#close} ends them in waves; close this after.
 *
 * <p>Threading: a few event loops of its own; calls are served on virtual threads.
 */
public final class FlightPort implements AutoCloseable {
    /** A ticket or descriptor; nothing larger has a reason to come in. */
    private static final int REQUEST_BYTES_MAX = 64 << 10;

    private static final int HEADER_BYTES_MAX = 32 << 10;
    /** Clients that look more often whether the node is there are taken for a fault of theirs. */
    private static final long PING_SECONDS_LEAST = 5;
    /** As an HTTP/2 connection of the HTTP port has. */
    private static final int CONNECTION_CALLS_MAX = 100;
    /** A connection on which nothing comes for so long is asked whether its client is there. */
    private static final long QUIET_SECONDS_MAX = 60;

    private static final long PING_SECONDS_MAX = 20;

    private static final long CLOSE_SECONDS_MAX = 2;
    /** Its notes say nothing about this node. Kept here, since a logger that nobody holds forgets its level. */
    private static final Logger GRPC = Logger.getLogger("io.grpc.netty");
    /** Warns, with a trace, of each client that goes while something waits for it. */
    private static final Logger GRPC_STREAMS = Logger.getLogger("io.grpc.netty.NettyServerHandler");
    /** Warns of each call that {@link FlightBytes#RESET} ends. */
    private static final Logger GRPC_CALLS = Logger.getLogger("io.grpc.internal.ServerCallImpl");

    /** Requests alone are read into it, and none of those that are served brings vectors. */
    private static final long ARROW_MEMORY_MAX = 16L << 20;

    private final EventLoopGroup loops;
    private final ExecutorService calls;
    private final BufferAllocator allocator;
    private final FlightStreams streams;
    private final Server server;

    /**
     * Where it listens.
     *
     * @param port 0 for a free one
     * @param keys what it shows to clients, which must come by TLS then; asked at each connect, so that it may give another certificate than before
     */
    public record Address(String host, int port, Optional<KeyManager> keys) {}

    private FlightPort(
            EventLoopGroup loops,
            ExecutorService calls,
            BufferAllocator allocator,
            FlightStreams streams,
            Server server) {
        this.loops = loops;
        this.calls = calls;
        this.allocator = allocator;
        this.streams = streams;
        this.server = server;
    }

    /** @throws IOException the address can't be listened on */
    public static FlightPort open(Address address, CdcRoutes routes, Catalog catalog, FlightCaller caller)
            throws IOException {
        return open(address, routes, catalog, caller, Duration.ofMillis(ConnectionSink.LINGER_MS));
    }

    /** @param linger so long clients that take nothing have to take the last of a stream */
    static FlightPort open(Address address, CdcRoutes routes, Catalog catalog, FlightCaller caller, Duration linger)
            throws IOException {
        GRPC.setLevel(Level.WARNING);
        GRPC_STREAMS.setLevel(Level.SEVERE);
        GRPC_CALLS.setLevel(Level.SEVERE);
        EventLoopGroup loops = new MultiThreadIoEventLoopGroup(
                Runtime.getRuntime().availableProcessors(),
                Thread.ofPlatform().name("weir-flight-", 0).daemon().factory(),
                NioIoHandler.newFactory());
        ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor();
        BufferAllocator allocator = new RootAllocator(ARROW_MEMORY_MAX);
        FlightOffers offers = new FlightOffers(catalog);
        BindableService arrow = arrow(allocator, offers, calls);
        FlightStreams streams = new FlightStreams(routes, new FlightLinger(linger, loops));
        Server server = server(address, loops)
                .executor(calls)
                .addService(ServerInterceptors.intercept(streams.with(arrow, offers), new FlightAccess(caller)))
                .build();
        FlightPort port = new FlightPort(loops, calls, allocator, streams, server);
        try {
            server.start();
            return port;
        } catch (IOException e) {
            port.close();
            Throwable cause = e.getCause() == null ? e : e.getCause();
            throw new IOException(
                    "flight.port: " + address.host() + ":" + address.port() + " can't be listened on: "
                            + cause.getMessage(),
                    e);
        }
    }

    /** It still asks for what knew callers before headers did; here {@link FlightAccess} does. */
    @SuppressWarnings("deprecation")
    private static BindableService arrow(BufferAllocator allocator, FlightOffers offers, ExecutorService calls) {
        return FlightGrpcUtils.createFlightService(allocator, offers, ServerAuthHandler.NO_OP, calls);
    }

    private static NettyServerBuilder server(Address address, EventLoopGroup loops) throws SSLException {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(
                        new InetSocketAddress(address.host(), address.port()))
                .channelType(NioServerSocketChannel.class)
                .bossEventLoopGroup(loops)
                .workerEventLoopGroup(loops)
                .maxInboundMessageSize(REQUEST_BYTES_MAX)
                .maxInboundMetadataSize(HEADER_BYTES_MAX)
                .maxConcurrentCallsPerConnection(CONNECTION_CALLS_MAX)
                .keepAliveTime(QUIET_SECONDS_MAX, TimeUnit.SECONDS)
                .keepAliveTimeout(PING_SECONDS_MAX, TimeUnit.SECONDS)
                .permitKeepAliveTime(PING_SECONDS_LEAST, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true);
        if (address.keys().isPresent()) {
            SslContextBuilder tls = SslContextBuilder.forServer(address.keys().get());
            builder.sslContext(GrpcSslContexts.configure(tls).build());
        }
        return builder;
    }

    public int port() {
        return server.getPort();
    }

    /** Ends calls that are there still, and cuts off clients that don't take so much as that. */
    @Override
    public void close() {
        server.shutdown();
        streams.end();
        try {
            if (!server.awaitTermination(CLOSE_SECONDS_MAX, TimeUnit.SECONDS)) {
                server.shutdownNow();
                server.awaitTermination(1, TimeUnit.SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        calls.shutdown();
        loops.shutdownGracefully(0, CLOSE_SECONDS_MAX, TimeUnit.SECONDS).awaitUninterruptibly();
        allocator.close();
    }
}
