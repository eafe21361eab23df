package dev.weir.node.config;

import java.util.Locale;

/**
 * One key of the configuration.
 *
 * @param kind what its values look like, in words
 * @param defaultText the value where none is given, as it would be written; empty means none
 * @param words what it does, for the reference page
 */
public record ConfigKey(String name, Kind kind, String defaultText, String words) {
    /** What the values of a key look like. */
    public enum Kind {
        TEXT("text"),
        SECRET("text, never shown"),
        PATH("a path"),
        PORT("a port, 1 to 65535"),
        COUNT("a whole number"),
        SWITCH("`on` or `off`"),
        DURATION("a duration, such as `15min`"),
        SIZE("a size, such as `64MiB`"),
        LIST("a comma-separated list");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /** The environment variable that overrides it. */
    public String variable() {
        return "WEIR_" + name.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
    }

    /** The section: what comes before the first dot. */
    String section() {
        return name.substring(0, name.indexOf('.'));
    }
}
