package dev.weir.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.condition.OS.LINUX;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;

final class PageThreadsTest {
    private static final int NICE_FIELD = 16;

    @Test
    @EnabledOnOs(LINUX)
    void giveWayToAllOthers() throws Exception {
        PageThreads threads = new PageThreads(2);
        try {
            CompletableFuture<Integer> nice = new CompletableFuture<>();
            threads.execute(() -> nice.complete(niceOfThisThread()));

            assertThat(nice.get(30, TimeUnit.SECONDS)).isEqualTo(niceOfThisThread() + PageThreads.NICE);
        } finally {
            threads.close();
        }
    }

    /** By proc(5); what is behind the thread's name, which may hold anything. */
    private static int niceOfThisThread() {
        try {
            String stat = Files.readString(Path.of("/proc/thread-self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return Integer.parseInt(fields[NICE_FIELD]);
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
