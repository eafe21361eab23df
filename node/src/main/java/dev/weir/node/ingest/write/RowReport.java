package dev.weir.node.ingest.write;

import dev.weir.partition.model.ErrorCode;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What became of a body's rows: how many of each kind, and the first hundred that were not stored. Used by one thread. */
public final class RowReport {
    static final int LISTED_MAX = 100;

    private final TreeMap<Integer, Listed> listed = new TreeMap<>();
    private final Map<ErrorCode, Integer> byCode = new EnumMap<>(ErrorCode.class);
    private int accepted;
    private int rejected;
    private int retry;
    private int unknown;

    /**
     * A row that was not stored, or of which that can't be told.
     *
     * @param line as the reader numbers it
     */
    public record Listed(int line, ErrorCode code, String message) {}

    void accept(int rows) {
        accepted += rows;
    }

    /** @param row ordinal in the body, by which the list is sorted */
    void refuse(int row, int line, ErrorCode code, String message) {
        switch (code.status()) {
            case 429, 500, 503, 507 -> retry++;
            case 504 -> unknown++;
            default -> rejected++;
        }
        byCode.merge(code, 1, Integer::sum);
        if (listed.size() < LISTED_MAX) {
            listed.put(row, new Listed(line, code, message));
        } else if (row < listed.lastKey()) {
            listed.put(row, new Listed(line, code, message));
            listed.pollLastEntry();
        }
    }

    /** Adds what another reading of some of the body's rows has reported. */
    void add(RowReport other) {
        accepted += other.accepted;
        rejected += other.rejected;
        retry += other.retry;
        unknown += other.unknown;
        other.byCode.forEach((code, rows) -> byCode.merge(code, rows, Integer::sum));
        listed.putAll(other.listed);
        while (listed.size() > LISTED_MAX) {
            listed.pollLastEntry();
        }
    }

    public int accepted() {
        return accepted;
    }

    /** Rows that will never be stored as they are. */
    public int rejected() {
        return rejected;
    }

    /** Rows that were not stored and may be sent again. */
    public int retry() {
        return retry;
    }

    public int unknown() {
        return unknown;
    }

    /** Rows not stored, or unknown, by their code. */
    public Map<ErrorCode, Integer> byCode() {
        return byCode;
    }

    /** The first of them, in the order of the body. */
    public List<Listed> listed() {
        return List.copyOf(listed.values());
    }
}
