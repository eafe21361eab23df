package dev.weir.node.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The values that were given, from a {@code key = value} file, then {@code WEIR_<KEY>} variables, then {@code -c key=value}; the later
 * wins. Keys are known ones; values are checked as they are read.
 */
public final class Settings {
    /** Variables that begin like ours and mean something else: the command line's own, and what Kubernetes and Docker add for a service "weir". */
    private static final Set<String> NOT_KEYS = Set.of(
            "WEIR_URL",
            "WEIR_TOKEN",
            "WEIR_CACERT",
            "WEIR_HOME",
            "WEIR_JAVA_OPTS",
            "WEIR_CONFIG",
            "WEIR_PORT",
            "WEIR_NAME");

    private static final Pattern SERVICE_LINK =
            Pattern.compile("WEIR_(\\w+_)?(SERVICE_HOST|SERVICE_PORT(_\\w+)?|PORT_\\d+_(TCP|UDP)(_\\w+)?|ENV_\\w+)");

    private final Map<String, String> given;

    private Settings(Map<String, String> given) {
        this.given = given;
    }

    /**
     * @param file null where there is none
     * @param environment usually {@link System#getenv()}
     * @param overrides {@code key=value} each
     * @throws ConfigException a key is unknown, or a line is none
     */
    public static Settings load(@Nullable Path file, Map<String, String> environment, List<String> overrides) {
        Map<String, String> given = new LinkedHashMap<>();
        if (file != null) {
            readFile(file, given);
        }
        readEnvironment(environment, given);
        for (String override : overrides) {
            readLine("-c", override, given);
        }
        return new Settings(given);
    }

    /** Defaults but for these. */
    public static Settings of(Map<String, String> given) {
        given.keySet().forEach(ConfigKeys::named);
        return new Settings(new LinkedHashMap<>(given));
    }

    public String text(String key) {
        ConfigKey known = ConfigKeys.named(key);
        return given.getOrDefault(key, known.defaultText());
    }

    Optional<String> optional(String key) {
        String text = text(key);
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    Optional<Path> path(String key) {
        return optional(key).map(Path::of);
    }

    int port(String key) {
        long value = number(key);
        if (value < 1 || value > 65_535) {
            throw ConfigException.of(key, "a port from 1 to 65535", text(key));
        }
        return (int) value;
    }

    int count(String key) {
        long value = number(key);
        if (value < 1 || value > Integer.MAX_VALUE) {
            throw ConfigException.of(key, "a number from 1 to " + Integer.MAX_VALUE, text(key));
        }
        return (int) value;
    }

    boolean isOn(String key) {
        return switch (text(key)) {
            case "on" -> true;
            case "off" -> false;
            default -> throw ConfigException.of(key, "on or off", text(key));
        };
    }

    Duration duration(String key) {
        return Units.duration(key, text(key));
    }

    long bytes(String key) {
        return Units.bytes(key, text(key));
    }

    List<String> list(String key) {
        List<String> items = new ArrayList<>();
        for (String item : text(key).split(",")) {
            if (!item.isBlank()) {
                items.add(item.strip());
            }
        }
        return items;
    }

    /** The keys that were given, secrets hidden; for the log. */
    @Override
    public String toString() {
        Map<String, String> shown = new LinkedHashMap<>();
        given.forEach(
                (key, value) -> shown.put(key, ConfigKeys.named(key).kind() == ConfigKey.Kind.SECRET ? "***" : value));
        return shown.toString();
    }

    private long number(String key) {
        try {
            return Long.parseLong(text(key));
        } catch (NumberFormatException e) {
            throw ConfigException.of(key, "a whole number", text(key));
        }
    }

    private static void readFile(Path file, Map<String, String> given) {
        try {
            int number = 0;
            for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
                number++;
                if (!line.isBlank() && !line.stripLeading().startsWith("#")) {
                    readLine(file + " line " + number, line, given);
                }
            }
        } catch (IOException e) {
            throw new ConfigException("configuration file " + file + " can't be read: " + e.getMessage());
        }
    }

    private static void readLine(String where, String line, Map<String, String> given) {
        int equals = line.indexOf('=');
        if (equals < 0) {
            throw new ConfigException(where + ": expected key = value");
        }
        String key = line.substring(0, equals).strip();
        try {
            ConfigKeys.named(key);
        } catch (ConfigException e) {
            throw new ConfigException(where + ": " + e.getMessage());
        }
        given.put(key, line.substring(equals + 1).strip());
    }

    private static void readEnvironment(Map<String, String> environment, Map<String, String> given) {
        Map<String, String> keys = new LinkedHashMap<>();
        ConfigKeys.ALL.forEach(key -> keys.put(key.variable(), key.name()));
        environment.forEach((variable, value) -> {
            String key = keys.get(variable);
            if (key != null) {
                given.put(key, value.strip());
            } else if (variable.startsWith("WEIR_") && !isNoKey(variable)) {
                String name = variable.substring("WEIR_".length()).toLowerCase(Locale.ROOT);
                throw new ConfigException("environment: unknown variable " + variable + "; the nearest known one is "
                        + ConfigKeys.named(ConfigKeys.nearest(name.replace('_', '.')))
                                .variable());
            }
        });
    }

    private static boolean isNoKey(String variable) {
        return NOT_KEYS.contains(variable) || SERVICE_LINK.matcher(variable).matches();
    }
}
