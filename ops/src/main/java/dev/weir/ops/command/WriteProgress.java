package dev.weir.ops.command;

import java.io.Console;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.jspecify.annotations.Nullable;

/** Rows written so far, on a terminal; nothing elsewhere. One thread. */
final class WriteProgress implements AutoCloseable {
    private static final int WIDTH = 100;

    private final @Nullable ProgressBar bar;

    private WriteProgress(@Nullable ProgressBar bar) {
        this.bar = bar;
    }

    /** @param bytes of the input; negative where that is not known */
    static WriteProgress of(long bytes, boolean wanted) {
        boolean terminal = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        if (!wanted || !terminal) {
            return new WriteProgress(null);
        }
        return new WriteProgress(new ProgressBarBuilder()
                .setTaskName("writing")
                .setInitialMax(bytes)
                .setUnit("MiB", 1 << 20)
                .setConsumer(new ConsoleProgressBarConsumer(System.err, WIDTH))
                .build());
    }

    void at(long bytes, long rows) {
        if (bar != null) {
            bar.stepTo(bytes).setExtraMessage("%,d rows".formatted(rows));
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
