package dev.weir.node.config;

import dev.weir.node.config.ConfigKey.Kind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Every key there is, with its default and its words: the one place. The reference page is made from it. */
public final class ConfigKeys {
    public static final List<ConfigKey> ALL = List.of(
            key(
                    "node.id",
                    Kind.TEXT,
                    "",
                    "Stable name of this node: 1 to 32 letters, digits, `_` or `-`. Without one a name is made up at the first start and kept in the data folder."),
            key("data.dir", Kind.PATH, "data", "Folder of everything that this node keeps."),
            key(
                    "http.host",
                    Kind.TEXT,
                    "127.0.0.1",
                    "Address that the HTTP port listens on. Without authentication only a loopback address is allowed."),
            key("http.port", Kind.PORT, "7070", "HTTP port, for clients and for other nodes."),
            key(
                    "http.tls.cert",
                    Kind.PATH,
                    "",
                    "PEM file of a certificate chain, this node's own certificate first: the HTTP port speaks TLS (1.2 and 1.3; HTTP/2 and HTTP/1.1), and so does `flight.port`. Needs `http.tls.key`. Without: plain text. The files of `http.tls.*` are looked at every 5 s, and taken when they have changed."),
            key(
                    "http.tls.key",
                    Kind.PATH,
                    "",
                    "PEM file of the RSA or EC key of `http.tls.cert`, not encrypted. Of both ports, as the certificate."),
            key(
                    "http.tls.ca",
                    Kind.PATH,
                    "",
                    "PEM file of the authorities whose certificates other nodes must show. Without: those of the JDK, and the certificates in `http.tls.cert`; where that is not set either, any."),
            key(
                    "http.cors.origins",
                    Kind.LIST,
                    "",
                    "Origins of browser pages that may call this node and read its answers, such as `https://app.example.org`; `*` for all. None: pages of other origins can't."),
            key(
                    "raft.host",
                    Kind.TEXT,
                    "",
                    "Address that the Raft and Hazelcast ports listen on. Without one: that of `http.host`."),
            key("raft.port", Kind.PORT, "7071", "Port of the replicated logs, for other nodes."),
            key(
                    "raft.election-timeout-min",
                    Kind.DURATION,
                    "1200ms",
                    "Shortest time without a heartbeat after which a follower stands for election. The default survives a stall of one second."),
            key("raft.election-timeout-max", Kind.DURATION, "1800ms", "Longest such time."),
            key(
                    "raft.append-timeout",
                    Kind.DURATION,
                    "10s",
                    "After which an append whose outcome is open is answered as unknown (504)."),
            key(
                    "raft.stall-timeout",
                    Kind.DURATION,
                    "5s",
                    "After which a leader whose appends make no progress hands leadership over."),
            key(
                    "raft.snapshot-bytes",
                    Kind.SIZE,
                    "64MiB",
                    "Log bytes after which a partition takes a snapshot and cuts its log."),
            key("hazelcast.port", Kind.PORT, "7072", "Port of the membership layer, for other nodes."),
            key(
                    "hazelcast.discovery",
                    Kind.TEXT,
                    "tcp",
                    "How the membership layer finds other nodes: `tcp` (the nodes of the catalog), `kubernetes`, `multicast`, or `none`. It carries hints only."),
            key(
                    "hazelcast.kubernetes-service",
                    Kind.TEXT,
                    "",
                    "DNS name of the headless service, for discovery `kubernetes`."),
            key(
                    "flight.enabled",
                    Kind.SWITCH,
                    "on",
                    "Whether clients can read the change stream by Arrow Flight, on a port of its own."),
            key("flight.port", Kind.PORT, "7073", "Port of Arrow Flight, for clients. It listens on `http.host`."),
            key(
                    "advertised.host",
                    Kind.TEXT,
                    "",
                    "Host name under which other nodes reach this one; resolved at each connect. Without one: `http.host`, or this machine's host name where that is a wildcard."),
            key("cluster.name", Kind.TEXT, "weir", "Name of the cluster; the same on all nodes."),
            key(
                    "cluster.initial-members",
                    Kind.LIST,
                    "",
                    "The nodes with which the cluster is born, `id@host:http:raft:hazelcast` each; the same on all of them. Empty, and no `cluster.join`: a node alone."),
            key(
                    "cluster.join",
                    Kind.LIST,
                    "",
                    "Nodes of a running cluster that a new node joins through, `host:http` each (`id@host:http:raft:hazelcast` is read too), `https://` or `http://` before it where they speak TLS and this one does not, or the other way round."),
            key(
                    "cluster.secret",
                    Kind.SECRET,
                    "",
                    "Shared by all nodes; a node without it is refused on every inner port."),
            key("cluster.secret-file", Kind.PATH, "", "File with the secret, instead of `cluster.secret`."),
            key("cluster.rf", Kind.COUNT, "3", "Replicas of each partition; read when the cluster is born."),
            key("cluster.partitions", Kind.COUNT, "8", "Partitions; read when the cluster is born. 1 to 4096."),
            key(
                    "placement.leader-balance",
                    Kind.SWITCH,
                    "on",
                    "Hands each partition to the node that the map names first, one at a time, once it has had the same leader for 15 s."),
            key(
                    "auth.admin-token-file",
                    Kind.PATH,
                    "",
                    "File with the admin token; the same text on all nodes. Switches authentication on."),
            key(
                    "segment.bytes",
                    Kind.SIZE,
                    "64MiB",
                    "Size at which a change segment is closed and the next one begun."),
            key("retention.bytes", Kind.SIZE, "10GiB", "Change history kept for each partition, by size."),
            key("retention.age", Kind.DURATION, "7d", "Change history kept for each partition, by age."),
            key(
                    "retention.held-bytes",
                    Kind.SIZE,
                    "20GiB",
                    "Change history of each partition that subscriptions with a budget hold at most, all of it counted; beyond, the log gives way to `retention.bytes` and `retention.age`. So it does while free space is below four times `disk.reserve-bytes`."),
            key(
                    "retention.local-bytes",
                    Kind.SIZE,
                    "0",
                    "Change history of each partition on a node's disk, about: what is older is moved to the object store, and read from there as long as it is kept. 0: none is; else at least `segment.bytes`, the same on all nodes, and `cache.bytes-max` at least five times `segment.bytes`. Needs `store.url`: a store on the node's disk frees nothing. What no file holds yet stays, and so does all while the store is away. Holds of subscriptions then no longer give way to free space."),
            key(
                    "retention.interval",
                    Kind.DURATION,
                    "1h",
                    "How far rows may outlive their table's retention before they are deleted; an eighth of the retention if that is less. Deletes are that far apart."),
            key(
                    "buffer.rows",
                    Kind.COUNT,
                    "12000000",
                    "Rows that the buffers of this node hold; beyond, writes are refused with 503."),
            key(
                    "store.url",
                    Kind.TEXT,
                    "",
                    "Where tables' files live: `file:/folder`, which all nodes must reach, or `s3://bucket/prefix`. Without one, and only where a node is alone: the folder `store` in `data.dir`."),
            key("store.s3.endpoint", Kind.TEXT, "", "URL of an S3 server other than AWS."),
            key("store.s3.region", Kind.TEXT, "us-east-1", "Region of the bucket."),
            key(
                    "store.s3.path-style",
                    Kind.SWITCH,
                    "off",
                    "The bucket in the path, not in the host name; most servers other than AWS need it."),
            key(
                    "store.s3.access-key",
                    Kind.TEXT,
                    "",
                    "Access key; without one the AWS chain is asked (environment, profile, web identity, container, instance)."),
            key("store.s3.secret-key-file", Kind.PATH, "", "File with the secret of `store.s3.access-key`."),
            key("store.s3.part-bytes", Kind.SIZE, "16MiB", "Larger files go up in parts of this size."),
            key("store.retry-budget", Kind.DURATION, "10min", "How long a call to the store is tried again."),
            key("store.retry-delay-max", Kind.DURATION, "1min", "Longest pause between two tries."),
            key("store.request-timeout", Kind.DURATION, "1min", "After which one request to the store has failed."),
            key(
                    "store.orphan-age",
                    Kind.DURATION,
                    "1h",
                    "A file that belongs to nobody any more is removed so long after a leader first saw it so. Longer than any statement runs, and than readers of published tables do. `weir orphans` lists such files."),
            key("flush.age", Kind.DURATION, "15min", "Rows wait no longer before they become a file."),
            key(
                    "flush.rows",
                    Kind.COUNT,
                    "10000",
                    "Rows of a table in a partition that become a file, if its last flush is `flush.min-interval` ago."),
            key("flush.bytes", Kind.SIZE, "64MiB", "Encoded bytes of a table in a partition that become a file."),
            key(
                    "flush.min-interval",
                    Kind.DURATION,
                    "5s",
                    "Holds `flush.rows` back, so that fast tables make large files; `0s` does not."),
            key(
                    "publish.interval",
                    Kind.DURATION,
                    "1min",
                    "How often published tables are looked at for files that their readers don't know."),
            key("cache.bytes-max", Kind.SIZE, "8GiB", "Files of the store kept on this node's disk."),
            key("sql.concurrent-max", Kind.COUNT, "4", "Statements that run at once on this node."),
            key("sql.memory-bytes", Kind.SIZE, "512MiB", "Memory of one statement; what needs more goes to disk."),
            key("sql.spill-bytes", Kind.SIZE, "4GiB", "Disk that one statement may use so."),
            key("sql.rows-max", Kind.COUNT, "10000000", "Rows of one answer."),
            key("sql.timeout", Kind.DURATION, "60s", "Longest time of a statement, to its last row."),
            key("sql.tenant-concurrent-max", Kind.COUNT, "3", "Statements of one tenant that run at once."),
            key("sql.tenant-queue-max", Kind.COUNT, "32", "Statements of one tenant that wait; beyond, 503."),
            key("sql.text-bytes-max", Kind.SIZE, "1MiB", "Length of a statement."),
            key("sql.answer-bytes-max", Kind.SIZE, "4MiB", "Bytes of an answer that wait for a slow client."),
            key(
                    "sql.buffer-bytes-max",
                    Kind.SIZE,
                    "64MiB",
                    "Rows of one table in one partition that are in no file yet, as a statement reads them; beyond, it is refused."),
            key(
                    "sql.routing",
                    Kind.TEXT,
                    "auto",
                    "`auto`: a statement that reads is answered by the node that most likely holds the tenant's files. `local`: by the node that got it."),
            key(
                    "sql.routing-bytes-min",
                    Kind.SIZE,
                    "1MiB",
                    "What a tenant must have in files before `auto` sends its statements to another node."),
            key("writer.bytes-max", Kind.SIZE, "16MiB", "Bytes of writes that may wait in one partition; beyond, 503."),
            key("ingest.body-bytes-max", Kind.SIZE, "32MiB", "Largest body of a write as it is sent; beyond, 413."),
            key(
                    "ingest.inflated-bytes-max",
                    Kind.SIZE,
                    "128MiB",
                    "Largest body of a write once inflated, at most `1GiB`; beyond, 413."),
            key(
                    "ingest.bytes-in-flight",
                    Kind.SIZE,
                    "256MiB",
                    "Bytes of writes that this node handles at once; beyond, 503."),
            key(
                    "dead-letters.bytes-max",
                    Kind.SIZE,
                    "256MiB",
                    "Refused rows of one tenant that are kept in `_dead_letters`; beyond, the oldest go. Rows that were set aside may take half of it, and stay. At least `64KiB`, and 20 seconds of `dead-letters.bytes-per-second`: so often it is looked after. Else the node does not start."),
            key(
                    "dead-letters.text-bytes-max",
                    Kind.SIZE,
                    "32KiB",
                    "Text of one refused row that is kept; the rest is cut off. `64` bytes to `1MiB`, and with `2KiB` more at most four seconds of `dead-letters.bytes-per-second`, so that such a letter ever passes. Else the node does not start."),
            key(
                    "dead-letters.bytes-per-second",
                    Kind.SIZE,
                    "1MiB",
                    "How fast the refused rows of one tenant may grow on this node, four seconds at once; what is beyond is not kept, and counted. `1KiB` to `64MiB`; the other two keys have bounds by it."),
            key("limits.columns-per-table", Kind.COUNT, "1000", "Tags and fields of one table."),
            key("limits.series-per-table", Kind.COUNT, "1000000", "Series of one table in one partition."),
            key(
                    "limits.series-per-tenant",
                    Kind.COUNT,
                    "10000000",
                    "Series of one tenant. Leaders share out what is left of it every few seconds, so a burst may pass it by a little."),
            key("limits.tables-per-tenant", Kind.COUNT, "10000", "Tables of one tenant."),
            key("limits.subscriptions-per-tenant", Kind.COUNT, "256", "Named subscriptions of one tenant."),
            key(
                    "disk.reserve-bytes",
                    Kind.SIZE,
                    "256MiB",
                    "Free space below which writes are refused with 507: on the leader, or on so many voters that no majority is above it."),
            key(
                    "idempotency.window",
                    Kind.DURATION,
                    "1h",
                    "How long an `Idempotency-Key` is remembered; at most `24h`."),
            key(
                    "idempotency.entries",
                    Kind.COUNT,
                    "16384",
                    "How many chunks of requests with a key each partition remembers, at most 65536; the oldest are forgotten first."),
            key(
                    "cdc.subscriber-bytes-max",
                    Kind.SIZE,
                    "4MiB",
                    "Bytes that wait for one subscriber before its reading pauses, `64KiB` to `1GiB`."),
            key(
                    "cdc.ring-bytes-max",
                    Kind.SIZE,
                    "64MiB",
                    "Bytes of encoded events that this node shares between subscribers. At least `cdc.subscriber-bytes-max`."),
            key("cdc.keepalive", Kind.DURATION, "15s", "Pause after which a quiet stream gets a comment."),
            key(
                    "cdc.checkpoint",
                    Kind.DURATION,
                    "15s",
                    "Pause after which a quiet or filtered stream gets a checkpoint."),
            key(
                    "cdc.stop-spread",
                    Kind.DURATION,
                    "2s",
                    "At an orderly stop open streams end one after another over so long, at most `20s`: their clients come to other nodes in waves. A supervisor must leave a node 60 s before it kills it."),
            key("cdc.subscribers", Kind.COUNT, "1000", "Streams open at once on this node; beyond, 503."),
            key(
                    "cdc.member-timeout",
                    Kind.DURATION,
                    "10s",
                    "After which a member of a subscription's group that has not come back loses its partitions to the others, and a node that can't be heard the streams of its members. At least `2s`, the same on all nodes."),
            key(
                    "cdc.arrow-batch-bytes",
                    Kind.SIZE,
                    "1MiB",
                    "A record batch of a change stream is cut where it has so many bytes, uncompressed, `1KiB` to `16MiB`."),
            key(
                    "cdc.arrow-pages-bytes-max",
                    Kind.SIZE,
                    "64MiB",
                    "Bytes of record batches that this node keeps for subscribers that read at the same place. At least `1MiB`, and 8 times `cdc.arrow-batch-bytes`."),
            key(
                    "cdc.catch-up-percent",
                    Kind.COUNT,
                    "20",
                    "While there are writes and the machine is more than half busy, all streams of this node that are behind have as little as so many percent of one processor to make what they read, or what is needed to read four times what is written."),
            key(
                    "cdc.lease",
                    Kind.DURATION,
                    "10min",
                    "So long a snapshot of tables is held for a stream that does not read on; its cursors are 410 then."),
            key("cdc.lease-max", Kind.DURATION, "24h", "So long a snapshot is held for a stream that does."),
            key(
                    "cdc.leases",
                    Kind.COUNT,
                    "64",
                    "Snapshots held at once in the cluster, half of them by one tenant; beyond, 503."),
            key(
                    "cdc.lease-log-bytes",
                    Kind.SIZE,
                    "1GiB",
                    "Log of a partition that snapshots hold beyond retention.bytes; what is older goes, and the snapshot is lost."),
            key(
                    "cdc.history-readers",
                    Kind.COUNT,
                    "8",
                    "Streams that read tables from files at once on this node; beyond, 503."));

    private static final Map<String, ConfigKey> BY_NAME = byName();

    private ConfigKeys() {}

    /** @throws ConfigException there is no such key; names the nearest one */
    public static ConfigKey named(String name) {
        ConfigKey key = BY_NAME.get(name);
        if (key == null) {
            throw new ConfigException("unknown key '" + name + "'; the nearest known one is '" + nearest(name) + "'");
        }
        return key;
    }

    static String nearest(String name) {
        String best = ALL.getFirst().name();
        int distance = Integer.MAX_VALUE;
        for (ConfigKey key : ALL) {
            int found = distance(name, key.name());
            if (found < distance) {
                distance = found;
                best = key.name();
            }
        }
        return best;
    }

    /** Levenshtein's: how many characters to add, remove or change. */
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(change, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[b.length()];
    }

    private static ConfigKey key(String name, Kind kind, String defaultText, String words) {
        return new ConfigKey(name, kind, defaultText, words);
    }

    private static Map<String, ConfigKey> byName() {
        Map<String, ConfigKey> keys = new TreeMap<>();
        for (ConfigKey key : ALL) {
            if (keys.put(key.name(), key) != null) {
                throw new IllegalStateException("key " + key.name() + " is there twice");
            }
        }
        return keys;
    }
}
