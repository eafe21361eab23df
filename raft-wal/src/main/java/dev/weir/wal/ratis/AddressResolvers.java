package dev.weir.wal.ratis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.ratis.thirdparty.io.grpc.EquivalentAddressGroup;
import org.apache.ratis.thirdparty.io.grpc.NameResolver;
import org.apache.ratis.thirdparty.io.grpc.NameResolverProvider;
import org.apache.ratis.thirdparty.io.grpc.NameResolverRegistry;
import org.apache.ratis.thirdparty.io.grpc.Status;
import org.apache.ratis.thirdparty.io.grpc.StatusOr;
import org.jspecify.annotations.Nullable;

/**
 * Lets gRPC find nodes by id: a target {@code weir-<random>:///<node id>} is looked up in the {@link AddressBook} and its host name
 * resolved, again at each connect. The scheme is this host's own, so several hosts in one JVM do not mix.
 *
 * <p>Only the JVM's own cache of names stands between: {@code networkaddress.cache.ttl}, 30 s unless set.
 */
final class AddressResolvers extends NameResolverProvider implements AutoCloseable {
    private final AddressBook book;
    private final String scheme = "weir-" + UUID.randomUUID();

    private AddressResolvers(AddressBook book) {
        this.book = book;
    }

    static AddressResolvers register(AddressBook book) {
        AddressResolvers resolvers = new AddressResolvers(book);
        NameResolverRegistry.getDefaultRegistry().register(resolvers);
        return resolvers;
    }

    String target(String nodeId) {
        try {
            return new URI(scheme, "", "/" + nodeId, null).toString();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("node id '" + nodeId + "' cannot be part of a URI", e);
        }
    }

    @Override
    public void close() {
        NameResolverRegistry.getDefaultRegistry().deregister(this);
    }

    @Override
    protected boolean isAvailable() {
        return true;
    }

    @Override
    protected int priority() {
        return 5;
    }

    @Override
    public String getDefaultScheme() {
        return scheme;
    }

    @Override
    public Collection<Class<? extends SocketAddress>> getProducedSocketAddressTypes() {
        return List.of(InetSocketAddress.class);
    }

    @Override
    public @Nullable NameResolver newNameResolver(URI target, NameResolver.Args args) {
        return scheme.equals(target.getScheme()) ? new Resolver(target.getPath().substring(1), args) : null;
    }

    private final class Resolver extends NameResolver {
        private final String nodeId;
        private final Args args;
        private final Consumer<String> watcher = this::moved;
        private volatile @Nullable Listener2 listener;

        Resolver(String nodeId, Args args) {
            this.nodeId = nodeId;
            this.args = args;
        }

        @Override
        public String getServiceAuthority() {
            return HostPort.parse(book.address(nodeId, nodeId + ":0")).host();
        }

        @Override
        public void start(Listener2 newListener) {
            listener = newListener;
            book.watch(watcher);
            refresh();
        }

        @Override
        public void refresh() {
            Listener2 current = listener;
            if (current != null) {
                Thread.ofVirtual().name("weir-resolve-" + nodeId).start(() -> resolve(current));
            }
        }

        @Override
        public void shutdown() {
            book.unwatch(watcher);
            listener = null;
        }

        private void moved(String movedNodeId) {
            if (movedNodeId.equals(nodeId)) {
                refresh();
            }
        }

        private void resolve(Listener2 current) {
            ResolutionResult result =
                    ResolutionResult.newBuilder().setAddressesOrError(lookUp()).build();
            args.getSynchronizationContext().execute(() -> {
                if (listener != null) {
                    current.onResult2(result);
                }
            });
        }

        private StatusOr<List<EquivalentAddressGroup>> lookUp() {
            String address = book.address(nodeId);
            if (address == null) {
                return StatusOr.fromStatus(Status.UNAVAILABLE.withDescription("no address known of node " + nodeId));
            }
            try {
                HostPort hostPort = HostPort.parse(address);
                List<EquivalentAddressGroup> groups = new ArrayList<>();
                for (InetAddress resolved : InetAddress.getAllByName(hostPort.host())) {
                    groups.add(new EquivalentAddressGroup(new InetSocketAddress(resolved, hostPort.port())));
                }
                return StatusOr.fromValue(groups);
            } catch (IOException | IllegalArgumentException e) {
                return StatusOr.fromStatus(Status.UNAVAILABLE
                        .withDescription("cannot resolve " + address + " of node " + nodeId)
                        .withCause(e));
            }
        }
    }
}
