package dev.weir.node.image;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.weir.partition.entry.StoredFile;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Files that statements of each tenant have read here lately. Any thread. */
final class TenantFiles {
    private static final int FILES_MAX = 20_000;
    /** Later, what the machine's memory held of a file has likely made room for others. */
    private static final Duration KEPT = Duration.ofHours(1);

    private final Cache<String, Opened> opened =
            Caffeine.newBuilder().maximumSize(FILES_MAX).expireAfterAccess(KEPT).build();

    private record Opened(String tenant, StoredFile file) {}

    void opened(String tenant, StoredFile file) {
        opened.put(file.key(), new Opened(tenant, file));
    }

    /** Tenant → bytes of such files, of those that are still at hand. */
    Map<String, Long> bytes(Predicate<StoredFile> atHand) {
        Map<String, Long> bytes = new HashMap<>();
        for (Opened each : opened.asMap().values()) {
            if (atHand.test(each.file())) {
                bytes.merge(each.tenant(), each.file().bytes(), Long::sum);
            }
        }
        return bytes;
    }
}
