package dev.weir.node.server;

import dev.weir.cdc.CdcConfig;
import dev.weir.cdc.HistoryConfig;
import dev.weir.cdc.HistoryLimits;
import dev.weir.cdc.SubscriptionConfig;
import dev.weir.node.config.NodeConfig;
import dev.weir.node.ingest.IngestLimits;
import dev.weir.node.ingest.letter.LetterLimits;
import dev.weir.partition.catalog.CatalogLimits;
import dev.weir.partition.catalog.GroupCatalogConfig;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.engine.ReplicaSettings;
import dev.weir.partition.write.WriterConfig;
import dev.weir.wal.LogConfig;
import dev.weir.wal.segment.SegmentConfig;
import java.util.function.IntPredicate;

/** What the configuration means to each module. */
final class ModuleConfigs {
    private static final String LOGS = "logs";

    private ModuleConfigs() {}

    static LogConfig log(NodeConfig config, NodeRecord self) {
        LogConfig defaults = LogConfig.defaults(
                self.id(),
                config.raft().host(),
                self.raftAddress(),
                config.dataDir().resolve(LOGS));
        return new LogConfig(
                defaults.nodeId(),
                defaults.bindHost(),
                defaults.address(),
                defaults.directory(),
                config.raft().electionTimeoutMin(),
                config.raft().electionTimeoutMax(),
                config.raft().appendTimeout(),
                config.raft().stallTimeout(),
                defaults.entryBytesMax(),
                defaults.pendingBytesMax(),
                config.raft().snapshotBytes(),
                config.storage().diskReserveBytes());
    }

    static GroupCatalogConfig catalog(NodeConfig config, String self) {
        GroupCatalogConfig defaults = GroupCatalogConfig.defaults(self);
        return new GroupCatalogConfig(
                self,
                defaults.deadline(),
                defaults.attemptTimeout(),
                defaults.pending(),
                new CatalogLimits(
                        config.ingest().columnsPerTable(), config.ingest().tablesPerTenant()));
    }

    static ReplicaSettings replica(NodeConfig config) {
        return new ReplicaSettings(
                new SegmentConfig(config.storage().segmentBytes()), ReplicaSettings.DEFAULT.recentBytes());
    }

    static WriterConfig writer(NodeConfig config) {
        WriterConfig defaults = WriterConfig.DEFAULT;
        return new WriterConfig(
                config.storage().writerBytesMax(),
                defaults.entryBytes(),
                defaults.entriesMax(),
                defaults.pipelineBytes(),
                config.ingest().seriesPerTable(),
                config.storage().retentionBytes(),
                config.storage().retentionAge(),
                config.storage().idempotencyWindow(),
                config.storage().idempotencyEntries());
    }

    static IngestLimits ingest(NodeConfig config) {
        IngestLimits defaults = IngestLimits.defaults();
        return new IngestLimits(
                Math.toIntExact(config.ingest().bodyBytesMax()),
                Math.toIntExact(config.ingest().inflatedBytesMax()),
                config.ingest().bytesInFlight(),
                defaults.rowBytesMax(),
                defaults.seriesCacheBytes(),
                new LetterLimits(
                        Math.toIntExact(config.deadLetters().textBytesMax()),
                        config.deadLetters().bytesPerSecond(),
                        config.deadLetters().bytesMax()));
    }

    static HistoryConfig history(NodeConfig config) {
        var leases = config.cdc().leases();
        return new HistoryConfig(leases.lapse(), leases.ageMax(), leases.countMax(), leases.readersMax());
    }

    static SubscriptionConfig subscriptions(NodeConfig config, IntPredicate hasSpace) {
        return SubscriptionConfig.of(
                config.subscriptions().perTenant(),
                config.subscriptions().memberTimeout(),
                new HistoryLimits(
                        config.storage().retentionBytes(),
                        config.storage().retentionAge(),
                        config.subscriptions().heldBytesMax(),
                        hasSpace));
    }

    static CdcConfig cdc(NodeConfig config) {
        CdcConfig defaults = CdcConfig.defaults();
        return new CdcConfig(
                config.cdc().subscribers(),
                Math.toIntExact(config.cdc().subscriberBytesMax()),
                Math.min(defaults.ringBytesMax(), config.cdc().ringBytesMax()),
                config.cdc().ringBytesMax(),
                defaults.pagesBytesMax(),
                defaults.pageBytes(),
                defaults.sliceBytes(),
                config.cdc().keepalive(),
                defaults.startTimeout(),
                defaults.retry(),
                Math.toIntExact(config.cdc().arrowBatchBytes()),
                defaults.arrowPageBytes(),
                config.cdc().arrowPagesBytesMax(),
                config.cdc().catchUpPercent());
    }
}
