package dev.weir.node.lead;

import dev.weir.node.lead.Pulses.Reading;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is known of a log's voters, from the pulses. */
final class Voters {
    private final String self;
    private final BooleanSupplier aboveReserve;
    private final Pulses pulses;

    Voters(String self, BooleanSupplier aboveReserve, Pulses pulses) {
        this.self = self;
        this.aboveReserve = aboveReserve;
        this.pulses = pulses;
    }

    /** How far a voter's clock is ahead of the median, ms; 0 where that can't be told. */
    long aheadMs(HeldLog log, String nodeId, long nowNanos) {
        Map<String, Long> known = new HashMap<>();
        for (String voter : log.voters()) {
            Optional<Long> ahead = voter.equals(self)
                    ? Optional.of(0L)
                    : pulses.fresh(voter, nowNanos).map(Reading::aheadMs);
            ahead.ifPresent(ms -> known.put(voter, ms));
        }
        OptionalLong median = ClockMedian.of(known.values(), log.voters().size());
        Long own = known.get(nodeId);
        return median.isEmpty() || own == null ? 0 : own - median.getAsLong();
    }

    /** Why too few voters have free space; null where enough have it. */
    @Nullable
    String shortage(HeldLog log, long nowNanos) {
        List<String> full = log.voters().stream()
                .filter(id -> !hasSpace(id, nowNanos).orElse(true))
                .toList();
        return DiskMajority.shortage(log.voters().size(), full);
    }

    private Optional<Boolean> hasSpace(String nodeId, long nowNanos) {
        return nodeId.equals(self)
                ? Optional.of(aboveReserve.getAsBoolean())
                : pulses.fresh(nodeId, nowNanos).map(reading -> reading.pulse().aboveReserve());
    }

    /**
     * The other voters that follow this leader and may lead.
     *
     * @param stable how long they must have answered without a pause
     */
    Stream<String> mayLead(HeldLog log, Duration stable, long nowNanos) {
        return log.voters().stream()
                .filter(id -> log.status().followers().containsKey(id))
                .filter(id -> pulses.fresh(id, nowNanos)
                        .filter(reading -> nowNanos - reading.sinceNanos() >= stable.toNanos())
                        .filter(reading ->
                                reading.pulse().fitToLead() && reading.pulse().aboveReserve())
                        .isPresent())
                .filter(id -> aheadMs(log, id, nowNanos) <= LeadKeeper.CLOCK_AHEAD_MS_MAX);
    }
}
