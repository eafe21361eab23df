package dev.weir.query;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a client takes, by its {@code Accept}. */
public final class Accept {
    private Accept() {}

    /**
     * The format that the client likes best; empty where it takes none. The first of equals wins.
     *
     * @param accept the header; without one the client takes anything
     * @param formatOf a media range in lower case → the format that answers it, null where none does
     */
    public static <F> Optional<F> best(@Nullable String accept, Function<String, @Nullable F> formatOf) {
        String ranges = accept == null || accept.isBlank() ? "*/*" : accept;
        F best = null;
        double bestQuality = 0;
        for (String range : ranges.split(",")) {
            String[] parts = range.split(";");
            F format = formatOf.apply(parts[0].strip().toLowerCase(Locale.ROOT));
            double quality = quality(parts);
            if (format != null && quality > bestQuality) {
                best = format;
                bestQuality = quality;
            }
        }
        return Optional.ofNullable(best);
    }

    private static double quality(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].strip();
            if (part.startsWith("q=")) {
                try {
                    return Double.parseDouble(part.substring(2));
                } catch (NumberFormatException e) {
                    return 0;
                }
            }
        }
        return 1;
    }
}
