package dev.weir.query.sql.run;

import dev.weir.query.sql.gate.SelectShapes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The seats and their threads, named {@code sql-0} …: platform threads with deep stacks, since trees of statements can be deep. */
final class SeatPool implements AutoCloseable {
    private static final long STACK_BYTES = 16L << 20;

    private final SeatQueue queue;
    private final List<Thread> threads = new ArrayList<>();

    SeatPool(SqlConfig config, List<Path> readable, Path spill, SelectShapes shapes) {
        this.queue = new SeatQueue(config);
        for (int i = 0; i < config.concurrentMax(); i++) {
            Seat seat = new Seat(config, readable, spill.resolve("seat-" + i), shapes);
            Thread thread = new Thread(null, () -> serve(seat), "sql-" + i, STACK_BYTES);
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    SeatQueue queue() {
        return queue;
    }

    @Override
    public void close() throws InterruptedException {
        queue.close();
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private void serve(Seat seat) {
        try {
            SeatQueue.Job job = queue.take();
            while (job != null) {
                work(seat, job);
                job = queue.take();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            seat.discard();
        }
    }

    /** A fault of one statement takes its session along, not the seat; the thread's handler says so. */
    private void work(Seat seat, SeatQueue.Job job) {
        try {
            job.work().run(seat);
        } catch (RuntimeException | Error e) {
            seat.discard();
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        } finally {
            queue.done(job);
        }
    }
}
