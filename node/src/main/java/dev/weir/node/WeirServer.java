package dev.weir.node;

import dev.weir.node.config.ConfigException;
import dev.weir.node.config.NodeConfig;
import dev.weir.node.config.Settings;
import dev.weir.node.server.Server;
import java.nio.file.Path;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a node: {@code --config FILE} and any number of {@code -c key=value}. Exit status 2: the configuration can't be used; 1: the start failed. */
public final class WeirServer {
    private static final Logger LOG = LoggerFactory.getLogger(WeirServer.class);
    private static final String USAGE = "usage: weir server [--config FILE] [-c key=value]…";

    private WeirServer() {}

    public static void main(String[] args) {
        NodeConfig config;
        try {
            config = configuration(args);
        } catch (ConfigException e) {
            System.err.println("weir server: " + e.getMessage());
            System.exit(2);
            return;
        }
        // Host names are resolved at each connect: the JVM must not keep addresses longer than a moment.
        Security.setProperty("networkaddress.cache.ttl", "3");
        Security.setProperty("networkaddress.cache.negative.ttl", "0");
        Server server = new Server(config);
        Runtime.getRuntime().addShutdownHook(new Thread(server::close, "weir-stop"));
        try {
            server.start();
        } catch (ConfigException e) { // what configuration names and only a start can look into
            System.err.println("weir server: " + e.getMessage());
            System.exit(2);
        } catch (Exception e) {
            LOG.error("the node can't start: {}", e.getMessage(), e);
            System.exit(1);
        }
    }

    private static NodeConfig configuration(String[] args) {
        Path file = null;
        List<String> overrides = new ArrayList<>();
        for (int i = 0; i < args.length; i += 2) {
            String value = i + 1 < args.length ? args[i + 1] : null;
            switch (args[i]) {
                case "--config" -> file = Path.of(required(args[i], value));
                case "-c" -> overrides.add(required(args[i], value));
                default -> throw new ConfigException("unknown argument '" + args[i] + "'; " + USAGE);
            }
        }
        return NodeConfig.of(Settings.load(file, System.getenv(), overrides));
    }

    private static String required(String option, @Nullable String value) {
        if (value == null) {
            throw new ConfigException(option + " needs a value; " + USAGE);
        }
        return value;
    }
}
