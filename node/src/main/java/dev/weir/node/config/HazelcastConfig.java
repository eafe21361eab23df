package dev.weir.node.config;

import java.util.Locale;

/**
 * How the membership layer runs.
 *
 * @param kubernetesService DNS name of the headless service; empty where not used
 */
public record HazelcastConfig(int port, Discovery discovery, String kubernetesService) {
    /** How it finds other nodes. */
    public enum Discovery {
        TCP,
        KUBERNETES,
        MULTICAST,
        NONE
    }

    public HazelcastConfig {
        if (discovery == Discovery.KUBERNETES && kubernetesService.isEmpty()) {
            throw new ConfigException("hazelcast.kubernetes-service: expected the DNS name of the headless service,"
                    + " since hazelcast.discovery is kubernetes");
        }
    }

    static HazelcastConfig of(Settings settings) {
        String name = settings.text("hazelcast.discovery");
        for (Discovery discovery : Discovery.values()) {
            if (discovery.name().toLowerCase(Locale.ROOT).equals(name)) {
                return new HazelcastConfig(
                        settings.port("hazelcast.port"), discovery, settings.text("hazelcast.kubernetes-service"));
            }
        }
        throw ConfigException.of("hazelcast.discovery", "tcp, kubernetes, multicast or none", name);
    }
}
