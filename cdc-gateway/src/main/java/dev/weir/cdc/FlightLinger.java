package dev.weir.cdc;

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** How long clients have to take the last of a stream, and what looks at the clock for that. */
record FlightLinger(Duration time, ScheduledExecutorService timers) {
    /** @throws java.util.concurrent.RejectedExecutionException the port has closed */
    ScheduledFuture<?> after(Runnable task) {
        return timers.schedule(task, time.toMillis(), TimeUnit.MILLISECONDS);
    }
}
