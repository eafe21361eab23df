package dev.weir.wal.ratis;

import org.apache.ratis.conf.Parameters;
import org.apache.ratis.rpc.RpcFactory;
import org.apache.ratis.rpc.RpcType;

/** Names {@link HostRpcFactory} in Ratis's configuration; Ratis makes it by its class name. */
final class HostRpcType implements RpcType {
    private static final String CONTEXT = "dev.weir.wal.ratis.context";

    HostRpcType() {}

    static Parameters parameters(HostRpcFactory.Context context) {
        Parameters parameters = new Parameters();
        parameters.put(CONTEXT, context, HostRpcFactory.Context.class);
        return parameters;
    }

    @Override
    public String name() {
        return HostRpcType.class.getName();
    }

    @Override
    public RpcFactory newFactory(Parameters parameters) {
        return new HostRpcFactory(parameters, parameters.getNonNull(CONTEXT, HostRpcFactory.Context.class));
    }
}
