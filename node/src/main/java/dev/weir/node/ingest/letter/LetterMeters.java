package dev.weir.node.ingest.letter;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;

/** Counts dead letters, {@code weir_dead_letters_*}. Any thread. */
public final class LetterMeters {
    private final MeterRegistry registry;

    /** Why a refused row did not become a letter. */
    enum Loss {
        /** More rows of one body were refused than are kept. */
        WRITE,
        RATE,
        /** The table could not be written. */
        STORE,
        UNKNOWN
    }

    public LetterMeters(MeterRegistry registry) {
        this.registry = registry;
        for (Loss loss : Loss.values()) {
            lost(loss, 0);
        }
    }

    void kept(String code) {
        registry.counter("weir_dead_letters_kept", "code", code).increment();
    }

    void lost(Loss loss, int letters) {
        String reason = loss.name().toLowerCase(Locale.ROOT);
        registry.counter("weir_dead_letters_lost", "reason", reason).increment(letters);
    }

    /** Refused rows of a body whose letters are there already. */
    void repeated(int rows) {
        registry.counter("weir_dead_letters_repeated").increment(rows);
    }
}
