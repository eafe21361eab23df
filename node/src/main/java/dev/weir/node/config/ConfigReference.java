package dev.weir.node.config;

/** The reference page of the configuration, {@code ops/docs/CONFIG.md}, made from the keys. */
public final class ConfigReference {
    private ConfigReference() {}

    public static String markdown() {
        StringBuilder page = new StringBuilder("""
                # Configuration

                Made from `dev.weir.node.config.ConfigKeys`; a test says when it is stale. To write it again:
                `mvn -pl node -am test -Dtest=ConfigReferenceTest -Dweir.docs.update=true -Dsurefire.failIfNoSpecifiedTests=false`.

                A node reads a file of `key = value` lines (`weir server --config FILE`; `#` begins a comment line), then
                variables `WEIR_<KEY>` (dots and dashes as `_`, upper case), then `-c key=value`; the later wins. An unknown
                key stops the node and names the nearest known one. Durations are `500ms`, `30s`, `15min`, `12h`, `7d`;
                sizes are bytes, `64KiB`, `16MiB`, `2GiB`.
                """);
        String section = "";
        for (ConfigKey key : ConfigKeys.ALL) {
            if (!key.section().equals(section)) {
                section = key.section();
                page.append("\n## ").append(section).append("\n\n| key | default | what |\n|---|---|---|\n");
            }
            page.append("| `").append(key.name()).append("` | ");
            page.append(key.defaultText().isEmpty() ? "–" : "`" + key.defaultText() + "`");
            page.append(" | ")
                    .append(key.words())
                    .append(" (")
                    .append(key.kind().words())
                    .append(") |\n");
        }
        return page.toString();
    }
}
