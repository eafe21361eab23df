package dev.weir.node.ingest;

import dev.weir.node.ingest.rows.RowFault;
import dev.weir.node.ingest.write.FarTimes;
import dev.weir.node.ingest.write.RowReport;
import dev.weir.node.ingest.write.WriteResult;
import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The answer to a write. All stored: 204. Else the first that applies: 422 (the key was used with another body), 504 (the outcome of a row is unknown),
 * 507 (a disk is full), 503, 429 (rows to be sent again), 400 (rows refused, the others durable).
 */
final class WriteAnswers {
    private WriteAnswers() {}

    /** @param unkept what is to be said of refused rows that are no dead letters; empty: all are */
    static Answer of(WriteResult result, String tenant, Optional<String> unkept) {
        List<Map.Entry<String, String>> headers = new ArrayList<>();
        result.commit().ifPresent(cursor -> headers.add(Map.entry("Weir-Commit", cursor.encode(tenant))));
        if (result.merged() > 0) {
            headers.add(Map.entry("Weir-Merged", Integer.toString(result.merged())));
        }
        warnings(result).forEach(warning -> headers.add(Map.entry("Weir-Warning", warning)));
        unkept.ifPresent(warning -> headers.add(Map.entry("Weir-Warning", printable(warning))));
        RowFault fault = result.bodyFault();
        if (fault != null) {
            return new Answer(fault.code().status(), headers, ErrorJson.of(fault.code(), fault.message()));
        }
        RowReport report = result.rows();
        if (report.byCode().isEmpty()) {
            return new Answer(204, headers, null);
        }
        int status = status(report);
        List<RowReport.Listed> rows = report.listed();
        ErrorCode code = code(report, rows, status);
        String error = error(report, rows);
        Answer.addRetryAfter(headers, Refusal.of(code, error));
        return new Answer(status, headers, ErrorJson.ofRows(code, error, report, rows));
    }

    private static int status(RowReport report) {
        if (any(report, code -> code == ErrorCode.IDEMPOTENCY_MISMATCH)) {
            return 422;
        }
        if (report.unknown() > 0) {
            return 504;
        }
        if (any(report, code -> code == ErrorCode.DISK_FULL)) {
            return 507;
        }
        if (report.retry() > 0) {
            boolean onlyRate = !any(report, code -> statusOf(code) == 503);
            return onlyRate ? 429 : 503;
        }
        return 400;
    }

    /** The status as which a row of this code counts. */
    private static int statusOf(ErrorCode code) {
        return switch (code.status()) {
            case 422, 429, 504, 507 -> code.status();
            case 500, 503 -> 503;
            default -> 400;
        };
    }

    private static ErrorCode code(RowReport report, List<RowReport.Listed> rows, int status) {
        for (RowReport.Listed row : rows) {
            if (statusOf(row.code()) == status) {
                return row.code();
            }
        }
        return report.byCode().entrySet().stream()
                .filter(entry -> statusOf(entry.getKey()) == status)
                .max(Comparator.comparingInt(Map.Entry::getValue))
                .map(Map.Entry::getKey)
                .orElse(ErrorCode.BAD_REQUEST);
    }

    private static boolean any(RowReport report, Predicate<ErrorCode> wanted) {
        return report.byCode().keySet().stream().anyMatch(wanted);
    }

    private static String error(RowReport report, List<RowReport.Listed> rows) {
        int failed = report.rejected() + report.retry() + report.unknown();
        String first = rows.isEmpty() ? "" : rows.getFirst().message();
        if (failed == 1) {
            return first;
        }
        List<String> kinds = new ArrayList<>();
        if (report.rejected() > 0) {
            kinds.add(report.rejected() + " refused");
        }
        if (report.retry() > 0) {
            kinds.add(report.retry() + " to be sent again");
        }
        if (report.unknown() > 0) {
            kinds.add(report.unknown() + " unknown");
        }
        return failed + " of " + (failed + report.accepted()) + " rows were not stored (" + String.join(", ", kinds)
                + "); the first: " + first;
    }

    private static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }

    private static List<String> warnings(WriteResult result) {
        List<String> warnings = new ArrayList<>();
        FarTimes far = result.far();
        if (far.count() > 0) {
            Instant first = Instant.ofEpochSecond(0, far.firstNanos());
            warnings.add(far.count() + (far.count() == 1 ? " row has a time" : " rows have times")
                    + " more than a year from now (first: line " + far.firstLine() + ", " + first
                    + "): check precision");
        }
        if (result.droppedFields() > 0) {
            warnings.add(result.droppedFields() + " fields that were NaN or infinite were left out (nan=drop-field)");
        }
        return warnings;
    }
}
