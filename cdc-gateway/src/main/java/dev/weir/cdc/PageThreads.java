package dev.weir.cdc;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Locale;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Threads that make pages for readers who are far behind. They take what processor time the others leave: writes and the newest events go first, so catching up slows down where the
 * machine is busy and costs nobody else. Java's own priorities change nothing on Linux, so each thread asks the system (nice(2), which there acts on the thread that calls);
 * elsewhere, and where the call can't be made, they are like all others.
 */
final class PageThreads implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(PageThreads.class);
    /** Added to what the process has, of 19 at most: a third of the processor time of an ordinary thread, where both want it (ADR 019). */
    static final int NICE = 5;

    private final ExecutorService threads;

    PageThreads(int count) {
        threads = Executors.newFixedThreadPool(
                count,
                task -> Thread.ofPlatform().name("cdc-pages").daemon().unstarted(() -> {
                    giveWay();
                    task.run();
                }));
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** What is under way is made; nothing new is taken. */
    void close() {
        threads.shutdown();
    }

    /** Has the system prefer threads of ordinary priority to the calling one, where it knows a priority of each thread. */
    @SuppressWarnings("restricted") // a call of the system's
    private static void giveWay() {
        if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("linux")) {
            return;
        }
        try {
            Linker linker = Linker.nativeLinker();
            MethodHandle nice = linker.downcallHandle(
                    linker.defaultLookup().find("nice").orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            int now = (int) nice.invokeExact(NICE); // says nothing of failures, and more niceness is never refused
            LOG.debug("{} has the priority {}", Thread.currentThread().getName(), now);
        } catch (Throwable e) { // what a call through a handle declares
            LOG.warn("the priority of {} stays as it is", Thread.currentThread().getName(), e);
        }
    }
}
