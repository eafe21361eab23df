package dev.weir.node.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Everything that a node is told.
 *
 * @param nodeId empty where none is given: the data folder keeps one
 * @param advertisedHost under which other nodes reach this one
 */
public record NodeConfig(
        Optional<String> nodeId,
        Path dataDir,
        String advertisedHost,
        HttpConfig http,
        RaftConfig raft,
        HazelcastConfig hazelcast,
        FlightConfig flight,
        ClusterConfig cluster,
        PlacementConfig placement,
        AuthConfig auth,
        StorageConfig storage,
        FilesConfig files,
        SqlSettings sql,
        IngestConfig ingest,
        DeadLetterConfig deadLetters,
        CdcConfig cdc,
        SubscriptionsConfig subscriptions) {
    private static final int SEGMENTS_CACHED_MIN = 5;
    private static final Pattern NODE_ID = Pattern.compile("[A-Za-z0-9_-]{1,32}");

    public NodeConfig {
        if (nodeId.isPresent() && !NODE_ID.matcher(nodeId.get()).matches()) {
            throw ConfigException.of("node.id", "1 to 32 letters, digits, '_' or '-'", nodeId.get());
        }
        if (cluster.secret().isEmpty() && !HttpConfig.isLoopback(http.host())) {
            throw new ConfigException("cluster.secret: expected a secret (or cluster.secret-file), since http.host "
                    + http.host() + " can be reached from other machines");
        }
        if (nodeId.isEmpty() && !cluster.initialMembers().isEmpty()) {
            throw new ConfigException("node.id: expected one of the ids in cluster.initial-members, found none");
        }
        // As many as are fetched at a time, each up to a record larger than segment.bytes.
        long segmentsCached = SEGMENTS_CACHED_MIN * storage.segmentBytes();
        if (storage.localBytes() > 0 && files.cacheBytesMax() < segmentsCached) {
            throw new ConfigException("cache.bytes-max: expected at least " + segmentsCached + " ("
                    + SEGMENTS_CACHED_MIN + " times segment.bytes), since retention.local-bytes is set, found "
                    + files.cacheBytesMax());
        }
    }

    /** @throws ConfigException a value can't be used */
    public static NodeConfig of(Settings settings) {
        HttpConfig http = HttpConfig.of(settings);
        return new NodeConfig(
                settings.optional("node.id"),
                Path.of(settings.text("data.dir")),
                settings.optional("advertised.host").orElseGet(() -> advertised(http.host())),
                http,
                RaftConfig.of(settings),
                HazelcastConfig.of(settings),
                FlightConfig.of(settings),
                ClusterConfig.of(settings),
                PlacementConfig.of(settings),
                AuthConfig.of(settings),
                StorageConfig.of(settings),
                files(settings),
                SqlSettings.of(settings),
                IngestConfig.of(settings),
                DeadLetterConfig.of(settings),
                CdcConfig.of(settings),
                SubscriptionsConfig.of(settings));
    }

    /** The folder that is the default is one node's own: others would look for its files in vain. */
    private static FilesConfig files(Settings settings) {
        ClusterConfig cluster = ClusterConfig.of(settings);
        boolean alone = cluster.initialMembers().size() < 2 && cluster.join().isEmpty();
        if (!alone && settings.optional("store.url").isEmpty()) {
            throw new ConfigException("store.url: expected a place that all nodes of the cluster reach,"
                    + " file:/shared/folder or s3://bucket, found none");
        }
        if (settings.optional("store.url").isEmpty() && settings.bytes("retention.local-bytes") > 0) {
            throw new ConfigException("retention.local-bytes: expected 0 without store.url, since the store is then on"
                    + " this node's disk, found " + settings.bytes("retention.local-bytes"));
        }
        return FilesConfig.of(settings);
    }

    private static String advertised(String httpHost) {
        if (!HttpConfig.isWildcard(httpHost)) {
            return httpHost;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            throw new ConfigException(
                    "advertised.host: expected a host name, since http.host is a wildcard and this machine's own name"
                            + " can't be told");
        }
    }
}
