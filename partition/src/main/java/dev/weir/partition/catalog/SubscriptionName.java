package dev.weir.partition.catalog;

import java.util.regex.Pattern;

/** How subscriptions, and the members of their groups, may be called. */
public final class SubscriptionName {
    /** What is said of another one. */
    public static final String EXPECTED = "expected 1 to 64 letters, digits, '_', '-' or '.', a letter or digit first";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,63}");

    private SubscriptionName() {}

    public static boolean isValid(String name) {
        return NAME.matcher(name).matches();
    }
}
