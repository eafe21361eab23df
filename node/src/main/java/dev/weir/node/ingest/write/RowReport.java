package dev.weir.node.ingest.write;

import dev.weir.partition.model.ErrorCode;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What became of a body's rows: how many of each kind, and the first {@link #KEPT_MAX} that were not stored, of which an answer lists a hundred. Used by
 * one thread.
 */
public final class RowReport {
    static final int LISTED_MAX = 100;
    /** Rows of one body whose refusal is remembered; so many become dead letters. */
    public static final int KEPT_MAX = 1_000;

    private final TreeMap<Integer, Listed> kept = new TreeMap<>();
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
        if (code.status() == 504) {
            unknown++;
        } else if (isForGood(code)) {
            rejected++;
        } else {
            retry++;
        }
        byCode.merge(code, 1, Integer::sum);
        if (kept.size() < KEPT_MAX) {
            kept.put(row, new Listed(line, code, message));
        } else if (row < kept.lastKey()) {
            kept.put(row, new Listed(line, code, message));
            kept.pollLastEntry();
        }
    }

    /** Whether a row refused so will never be stored as it is. */
    public static boolean isForGood(ErrorCode code) {
        return switch (code.status()) {
            case 429, 500, 503, 504, 507 -> false;
            default -> true;
        };
    }

    /** Adds what another reading of some of the body's rows has reported. */
    void add(RowReport other) {
        accepted += other.accepted;
        rejected += other.rejected;
        retry += other.retry;
        unknown += other.unknown;
        other.byCode.forEach((code, rows) -> byCode.merge(code, rows, Integer::sum));
        kept.putAll(other.kept);
        while (kept.size() > KEPT_MAX) {
            kept.pollLastEntry();
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

    /** The first hundred of them, in the order of the body. */
    public List<Listed> listed() {
        return kept.values().stream().limit(LISTED_MAX).toList();
    }

    /** The first {@link #KEPT_MAX} of them, by their ordinal in the body. */
    public SortedMap<Integer, Listed> kept() {
        return Collections.unmodifiableSortedMap(kept);
    }
}
