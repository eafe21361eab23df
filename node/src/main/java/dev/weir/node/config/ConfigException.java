package dev.weir.node.config;

/** The configuration can't be used. The message says which key, what was expected and what was found, and never shows a secret. */
public final class ConfigException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public ConfigException(String message) {
        super(message);
    }

    static ConfigException of(String key, String expected, String found) {
        return new ConfigException(key + ": expected " + expected + ", found '" + found + "'");
    }
}
