package dev.weir.node.server;

import dev.weir.partition.catalog.Catalog;
import dev.weir.partition.catalog.CatalogImage;
import dev.weir.partition.catalog.PartitionRecord;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has replicas set aside that were given to other nodes without this one hearing of it: it was down, or its log did not get the entry that says so. The map
 * alone is not enough for that, since it does not name a node that is being taken in, either: the partition's leader has to say that this node does not vote.
 */
final class Leftovers {
    private static final Logger LOG = LoggerFactory.getLogger(Leftovers.class);
    private static final long LOOK_SECONDS = 10;

    private final String self;
    private final Catalog catalog;
    private final Supplier<BiPredicate<Integer, Integer>> disk;
    private final IntFunction<CompletionStage<List<String>>> voters;
    private final GivenUp givenUp;

    /** Sets a replica aside, unless this node was asked meanwhile to hold it. */
    interface GivenUp {
        void setAside(int partition, int generation);
    }

    /**
     * @param disk a look at this node's disk: whether something of a partition, in a generation, is there
     * @param voters who votes in a partition's log, as its leader says
     */
    Leftovers(
            String self,
            Catalog catalog,
            Supplier<BiPredicate<Integer, Integer>> disk,
            IntFunction<CompletionStage<List<String>>> voters,
            GivenUp givenUp) {
        this.self = self;
        this.catalog = catalog;
        this.disk = disk;
        this.voters = voters;
        this.givenUp = givenUp;
    }

    void start(ScheduledExecutorService timer, ExecutorService blocking) {
        timer.scheduleWithFixedDelay(() -> blocking.execute(this::look), LOOK_SECONDS, LOOK_SECONDS, TimeUnit.SECONDS);
    }

    void look() {
        CatalogImage image = catalog.image();
        BiPredicate<Integer, Integer> isHere = disk.get();
        for (PartitionRecord record : image.partitions().values()) {
            if (!record.replicas().contains(self) && isHere.test(record.id(), record.generation())) {
                voters.apply(record.id()).whenComplete((known, failure) -> {
                    if (failure != null) {
                        LOG.debug("partition {}: nobody says who votes: {}", record.id(), failure.toString());
                    } else if (!known.contains(self)) {
                        givenUp.setAside(record.id(), record.generation());
                    }
                });
            }
        }
    }
}
