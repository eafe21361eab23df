package dev.weir.cdc;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
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
 * machine is busy and costs nobody else. Java's own priorities change nothing on Linux, so each thread asks the system (setpriority(2), which acts on the calling thread
 * there); elsewhere, and where the call can't be made, they are like all others.
 */
final class PageThreads implements Executor {
    private static final Logger LOG = LoggerFactory.getLogger(PageThreads.class);
    /** From 0, as usual, to 19: a tenth of the processor time of an ordinary thread, where both want it. */
    private static final int NICE = 10;

    private static final int PRIO_PROCESS = 0;
    private static final int THIS_THREAD = 0;

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

    /** Makes the calling thread yield to those of ordinary priority; false where the system has no such thing. */
    @SuppressWarnings("restricted") // a call of the system's
    static boolean giveWay() {
        if (!System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("linux")) {
            return false;
        }
        try {
            Linker linker = Linker.nativeLinker();
            MemorySegment symbol = linker.defaultLookup().find("setpriority").orElseThrow();
            MethodHandle setPriority = linker.downcallHandle(
                    symbol,
                    FunctionDescriptor.of(
                            ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            return (int) setPriority.invokeExact(PRIO_PROCESS, THIS_THREAD, NICE) == 0;
        } catch (Throwable e) { // what a call through a handle declares
            LOG.warn("the priority of {} stays as it is", Thread.currentThread().getName(), e);
            return false;
        }
    }
}
