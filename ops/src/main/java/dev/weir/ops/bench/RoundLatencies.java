package dev.weir.ops.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;

/** Times from due to acknowledged, round by round: whether the tenth minute is as good as the first. */
final class RoundLatencies implements LoadRun.Observer {
    private final RepeatedBodies bodies;
    private final AtomicLongArray due;
    private final List<Latencies> rounds = new ArrayList<>();

    RoundLatencies(RepeatedBodies bodies, int rounds) {
        this.bodies = bodies;
        this.due = new AtomicLongArray(bodies.size());
        for (int i = 0; i < rounds; i++) {
            this.rounds.add(new Latencies());
        }
    }

    @Override
    public void sending(int body, long dueNanos) {
        due.set(body, dueNanos);
    }

    @Override
    public void acknowledged(int body, long nanos) {
        Latencies round = rounds.get(bodies.round(body));
        synchronized (round) {
            round.record(nanos - due.get(body));
        }
    }

    RepeatedBodies bodies() {
        return bodies;
    }

    /** In order of time. Called when the run is over. */
    List<Latencies> rounds() {
        return rounds;
    }
}
