package dev.weir.partition.check;

import dev.weir.partition.model.ChangeEvent;
import dev.weir.partition.model.Tag;
import java.util.Map;

/**
 * No tenant sees a byte of another. The workload puts its tenant's name into every table name, tag value and string field; what one tenant
 * reads must hold no other's. Not thread-safe.
 */
public final class TenantIsolationCheck {
    private final String tenant;
    private final String mark;
    private final Violations violations = new Violations();

    /**
     * @param tenant who reads
     * @param mark what every text of this tenant's workload contains
     */
    public TenantIsolationCheck(String tenant, String mark) {
        this.tenant = tenant;
        this.mark = mark;
    }

    /** An event that the tenant received. */
    public void event(ChangeEvent event) {
        String place = "tenant " + tenant + ", partition " + event.partition() + " seq " + event.seq();
        if (!event.tenant().equals(tenant)) {
            violations.add(place + ": belongs to tenant " + event.tenant());
        }
        text(place, event.measurement());
        for (Tag tag : event.tags()) {
            text(place, tag.value());
        }
        for (Map.Entry<String, Object> field : event.fields().entrySet()) {
            if (field.getValue() instanceof String value) {
                text(place, value);
            }
        }
    }

    /** A text that the tenant received in an answer. */
    public void text(String place, String text) {
        if (!text.contains(mark)) {
            violations.add(place + ": \"" + text + "\" is not of this tenant's workload");
        }
    }

    public Violations violations() {
        return violations;
    }
}
