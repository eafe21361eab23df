package dev.weir.node.cluster;

import dev.weir.node.cluster.BootStatus.Phase;
import dev.weir.partition.catalog.CatalogCommand;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.CatalogReply;
import dev.weir.partition.catalog.NodeRecord;
import dev.weir.partition.model.RefusedException;
import dev.weir.partition.placement.PlacementPlanner;
import dev.weir.wal.LogGroupId;
import dev.weir.wal.LogMembers;
import dev.weir.wal.LogStatus;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a node into its cluster, up to the fence behind which its partitions may open.
 *
 * <pre>
 * NEW ──(an initial member, or alone)──► BIRTH ──(birth seen here)──► JOINING ──(node started in the catalog)──► JOINED
 *   └──(cluster found to join)───────────────────────────────────────────▲
 * </pre>
 *
 * <p>The states are those of the data folder ({@link IdentityRecord}); a start goes on from the one it finds, so a crash at any point is
 * repaired by the next start. A folder past NEW never bootstraps again. Where others say that a folder's node is no longer in the
 * cluster, the folder is set aside and the node stays closed.
 *
 * <p>Runs on one thread that may block, and ends by result, by {@link ClosedException}, or by being interrupted.
 */
public final class Boot {
    private static final Logger LOG = LoggerFactory.getLogger(Boot.class);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final long OPEN_TIMEOUT_MS = 120_000;
    private static final long CATALOG_TIMEOUT_MS = 30_000;
    private static final Duration ANNOUNCE_PATIENCE = Duration.ofDays(1);

    private final BootParts parts;
    private final Consumer<BootStatus> statusListener;
    private final PeerQuestions peers;
    private final Signal signal = new Signal();
    private volatile BootStatus status = new BootStatus(Phase.STARTING, "starting");

    /** @param statusListener called on the boot's thread with each change */
    public Boot(BootParts parts, Consumer<BootStatus> statusListener) {
        this.parts = parts;
        this.statusListener = statusListener;
        this.peers = new PeerQuestions(parts.joinClient(), parts.cluster().name(), parts.self());
    }

    public BootStatus status() {
        return status;
    }

    /** @throws ClosedException this node must not serve; the status says why */
    public Booted run() throws InterruptedException {
        parts.state().onLeadership(signal::raise);
        parts.state().onChange(image -> signal.raise());
        parts.desk().onAddress(parts.addresses()::said);
        try {
            switch (parts.identity().state()) {
                case NEW -> begin();
                case BIRTH -> openBirthGroup(plan());
                case JOINING -> join();
                case JOINED -> open(keptGroup(), LogMembers.joining());
            }
            return confirm();
        } catch (ClosedException e) {
            report(Phase.CLOSED, e.getMessage() == null ? "closed" : e.getMessage());
            throw e;
        }
    }

    private CatalogGroupPlan plan() {
        return CatalogGroupPlan.of(parts.cluster(), parts.self());
    }

    private void begin() throws InterruptedException {
        CatalogGroupPlan plan = plan();
        boolean alone = parts.cluster().initialMembers().isEmpty()
                && parts.cluster().join().isEmpty();
        if (alone) {
            openBirthGroup(plan);
        } else if (!parts.cluster().initialMembers().isEmpty() && plan.contains(self().id())) {
            beginAsInitialMember(plan);
        } else {
            join();
        }
    }

    /**
     * A new folder of an initial member may mean that the cluster is to be born, or that it lives and this disk was lost. A majority of the
     * members has to say that it is not born.
     */
    private void beginAsInitialMember(CatalogGroupPlan plan) throws InterruptedException {
        parts.desk().group(plan.group());
        List<String> others = plan.nodes().stream()
                .filter(node -> !node.id().equals(self().id()))
                .map(NodeRecord::httpUrl)
                .toList();
        int needed = plan.nodes().size() / 2 + 1;
        while (true) {
            Map<String, JoinMessages.Answer> answers = peers.look(others);
            Optional<JoinMessages.Answer> born =
                    answers.values().stream().filter(JoinMessages.Answer::born).findFirst();
            if (born.isPresent()) {
                refuseLostFolder(born.get());
                if (born.get().node(self().id()).isEmpty()) {
                    join();
                } else {
                    openBirthGroup(plan);
                }
                return;
            }
            long agreeing = answers.values().stream()
                    .filter(answer -> answer.group().equals(Optional.of(plan.group())))
                    .count();
            if (agreeing + 1 >= needed) {
                openBirthGroup(plan);
                return;
            }
            report(Phase.FINDING_CLUSTER, waitingForMembers(answers, agreeing + 1, needed, plan));
            signal.await(PAUSE);
        }
    }

    private static String waitingForMembers(
            Map<String, JoinMessages.Answer> answers, long present, int needed, CatalogGroupPlan plan) {
        StringBuilder text = new StringBuilder("the cluster's birth waits for its initial members: " + present + " of "
                + plan.nodes().size() + " are there, " + needed + " are needed");
        answers.forEach((address, answer) -> {
            if (!answer.refusal().isEmpty()) {
                text.append("; ").append(address).append(": ").append(answer.refusal());
            } else if (answer.group().isPresent() && !answer.group().get().equals(plan.group())) {
                text.append("; ")
                        .append(address)
                        .append(": has other cluster.initial-members, another cluster.name or another secret");
            }
        });
        return text.toString();
    }

    private void openBirthGroup(CatalogGroupPlan plan) throws InterruptedException {
        parts.addresses().learn(plan.nodes());
        LogGroupId group = parts.identity().catalogGroup().orElse(plan.group());
        if (parts.identity().catalogGroup().isEmpty()) {
            parts.identity().beginBirth(group);
        }
        open(group, plan.members());
        String proposedId = UUID.randomUUID().toString();
        while (!image().born()) {
            report(Phase.CATALOG, "waiting for the cluster's birth");
            if (parts.host().status(group).map(LogStatus::leads).orElse(false)) {
                proposeBirth(proposedId, plan);
            }
            signal.await(PAUSE);
        }
        parts.identity().enter(image().clusterId(), group);
    }

    private void proposeBirth(String clusterId, CatalogGroupPlan plan) throws InterruptedException {
        List<String> ids = plan.nodes().stream().map(NodeRecord::id).toList();
        int factor = parts.cluster().replicationFactor();
        CatalogCommand birth = new CatalogCommand.Birth(
                clusterId,
                factor,
                plan.nodes(),
                PlacementPlanner.birth(parts.cluster().partitions(), factor, ids));
        tryPropose(birth)
                .ifPresent(reply ->
                        LOG.info("the cluster '{}' is born: {}", parts.cluster().name(), ids));
    }

    private void join() throws InterruptedException {
        JoinMessages.Answer found = findCluster();
        LogGroupId group = found.group().orElseThrow();
        parts.addresses().learn(found.nodes());
        parts.identity().enter(found.clusterId(), group);
        open(group, LogMembers.joining());
        while (!image().born()) {
            report(Phase.CATALOG, "waiting to be added to the catalog of cluster " + found.clusterId());
            for (String address : addressesToAdd(found)) {
                peers.add(address);
            }
            signal.await(PAUSE);
            found = lookAgain().orElse(found);
        }
    }

    /** The leader alone adds; where it is not known, all are told. */
    private List<String> addressesToAdd(JoinMessages.Answer found) {
        Optional<String> leader = found.leader().flatMap(found::node).map(NodeRecord::httpUrl);
        return leader.map(List::of)
                .orElseGet(() -> found.nodes().stream().map(NodeRecord::httpUrl).toList());
    }

    private JoinMessages.Answer findCluster() throws InterruptedException {
        while (true) {
            Optional<JoinMessages.Answer> found = lookAgain();
            if (found.isPresent()) {
                return found.get();
            }
            report(Phase.FINDING_CLUSTER, "no node of a born cluster answers at " + joinAddresses());
            signal.await(PAUSE);
        }
    }

    private Optional<JoinMessages.Answer> lookAgain() throws InterruptedException {
        Optional<JoinMessages.Answer> best = Optional.empty();
        for (Map.Entry<String, JoinMessages.Answer> one :
                peers.look(joinAddresses()).entrySet()) {
            JoinMessages.Answer answer = one.getValue();
            if (!answer.refusal().isEmpty()) {
                report(Phase.FINDING_CLUSTER, one.getKey() + " refuses: " + answer.refusal());
            }
            if (answer.born() && answer.group().isPresent()) {
                refuseForeign(answer);
                refuseLostFolder(answer);
                if (best.isEmpty() || answer.leader().isPresent()) {
                    best = Optional.of(answer);
                }
            }
        }
        return best;
    }

    private Set<String> joinAddresses() {
        Set<String> addresses = new LinkedHashSet<>();
        parts.cluster().join().forEach(address -> addresses.add(withScheme(address)));
        plan().nodes().forEach(node -> addresses.add(node.httpUrl()));
        parts.addresses().all().forEach(node -> addresses.add(node.httpUrl()));
        addresses.remove(self().httpUrl());
        return addresses;
    }

    /** Where the configuration names none, other nodes are taken to be as this one. */
    private String withScheme(String address) {
        String own = self().tls() ? "https://" : "http://";
        return address.contains("://") ? address : own + address;
    }

    private void refuseForeign(JoinMessages.Answer answer) {
        Optional<String> mine = parts.identity().clusterId();
        if (mine.isPresent() && !mine.get().equals(answer.clusterId())) {
            throw new ClosedException("the data folder belongs to cluster " + mine.get() + ", the nodes found are of "
                    + answer.clusterId() + ": check cluster.join and data.dir");
        }
    }

    private void refuseLostFolder(JoinMessages.Answer answer) {
        Optional<NodeRecord> known = answer.node(self().id());
        if (parts.identity().state() == IdentityRecord.State.NEW
                && known.isPresent()
                && known.get().incarnation() > 0) {
            throw new ClosedException("node " + self().id() + " has been part of cluster " + answer.clusterId()
                    + " before, but its data folder is new: bring its folder back, or start it under another node.id");
        }
    }

    /** The fence: nothing is served until a linearizable read says that this node, in this incarnation, is in the catalog. */
    private Booted confirm() throws InterruptedException {
        LogGroupId group = keptGroup();
        awaitQuorum();
        String clusterId = image().clusterId();
        Optional<String> kept = parts.identity().clusterId();
        if (kept.isPresent() && !kept.get().equals(clusterId)) {
            throw new ClosedException(
                    "the data folder belongs to cluster " + kept.get() + ", its catalog says " + clusterId);
        }
        if (parts.identity().state() == IdentityRecord.State.JOINED
                && !image().nodes().containsKey(self().id())) {
            throw removed();
        }
        long incarnation = announce();
        parts.identity().joined();
        awaitQuorum();
        NodeRecord agreed = image().nodes().get(self().id());
        if (agreed == null) {
            throw removed();
        }
        if (agreed.incarnation() != incarnation) {
            throw new ClosedException("another process has started as node " + self().id() + " (incarnation "
                    + agreed.incarnation() + ", this one is " + incarnation + "): give each node a node.id of its own");
        }
        report(Phase.OPEN, "node " + self().id() + " is in cluster " + clusterId + ", incarnation " + incarnation);
        return new Booted(group, clusterId, incarnation);
    }

    /**
     * One proposal that goes on trying, since each one made anew could raise the incarnation once more, also late, and would then look like
     * another process.
     */
    private long announce() throws InterruptedException {
        while (true) {
            try {
                CatalogCommand started = new CatalogCommand.NodeStarted(self());
                CatalogReply reply = Stages.get(parts.catalog().propose(started, ANNOUNCE_PATIENCE), Long.MAX_VALUE);
                if (reply instanceof CatalogReply.Incarnation agreed) {
                    return agreed.incarnation();
                }
            } catch (CompletionException e) {
                report(Phase.CONFIRMING, refusal(e).refusal().message());
            }
            signal.await(PAUSE);
        }
    }

    private void awaitQuorum() throws InterruptedException {
        report(Phase.CONFIRMING, "waiting for the catalog's quorum to confirm this node");
        while (true) {
            try {
                Stages.get(parts.catalog().linearize(), CATALOG_TIMEOUT_MS);
                if (image().born()) {
                    return;
                }
            } catch (CompletionException e) {
                report(Phase.CONFIRMING, Stages.message(e));
                setAsideIfRemoved();
            }
            signal.await(PAUSE);
        }
    }

    /**
     * Asking also tells the others where this node is now. A node that was taken out of the catalog's group gets no answer from it: others
     * can tell.
     */
    private void setAsideIfRemoved() throws InterruptedException {
        boolean wasMember = parts.identity().state() == IdentityRecord.State.JOINED;
        for (JoinMessages.Answer answer : peers.look(joinAddresses()).values()) {
            boolean sameCluster = parts.identity().clusterId().equals(Optional.of(answer.clusterId()));
            if (wasMember
                    && answer.confirmed()
                    && sameCluster
                    && answer.node(self().id()).isEmpty()) {
                throw removed();
            }
        }
    }

    private ClosedException removed() throws InterruptedException {
        Stages.get(parts.host().close(keptGroup()), OPEN_TIMEOUT_MS);
        String name = self().id() + "-" + UUID.randomUUID();
        return new ClosedException("node " + self().id() + " is no longer part of cluster "
                + parts.identity().clusterId().orElse("?") + "; its data was set aside in "
                + parts.identity().setAside(name) + ", and it stays closed");
    }

    private void open(LogGroupId group, LogMembers members) throws InterruptedException {
        report(Phase.CATALOG, "opening the catalog");
        parts.desk().group(group);
        Stages.get(parts.host().open(group, members, parts.state()), OPEN_TIMEOUT_MS);
        parts.addresses().changed(); // what nodes have said is newer than the list of members
        parts.catalog().bind(group);
    }

    private Optional<CatalogReply> tryPropose(CatalogCommand command) throws InterruptedException {
        try {
            return Optional.of(Stages.get(parts.catalog().propose(command), CATALOG_TIMEOUT_MS));
        } catch (CompletionException e) {
            report(status.phase(), refusal(e).refusal().message());
            return Optional.empty();
        }
    }

    private static RefusedException refusal(CompletionException failure) {
        if (Stages.cause(failure) instanceof RefusedException refused) {
            return refused;
        }
        throw failure;
    }

    private LogGroupId keptGroup() {
        return parts.identity().catalogGroup().orElseThrow();
    }

    private CatalogImage image() {
        return parts.catalog().image();
    }

    private NodeRecord self() {
        return parts.self();
    }

    private void report(Phase phase, String text) {
        BootStatus next = new BootStatus(phase, text);
        if (!next.equals(status)) {
            status = next;
            LOG.info("start: {}", text);
            statusListener.accept(next);
        }
    }
}
