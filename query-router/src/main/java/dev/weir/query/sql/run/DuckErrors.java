package dev.weir.query.sql.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.model.ErrorCode;
import java.util.regex.Pattern;

/**
 * What DuckDB says, as a refusal.
 *
 * @param kind DuckDB's type of exception
 * @param location byte of the text that it ran, below 0: unknown
 */
record DuckErrors(String kind, String message, int location) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern OURS = Pattern.compile("\\b_weir_(?:bucket\\w*|floor|micros|width|has_months)\\b");

    static DuckErrors of(Exception failure) {
        String text = String.valueOf(failure.getMessage());
        int brace = text.indexOf("{\"exception_type\"");
        if (brace >= 0) {
            try {
                JsonNode error = JSON.readTree(text.substring(brace));
                return new DuckErrors(
                        error.path("exception_type").asText(),
                        error.path("exception_message").asText(),
                        error.path("position").asInt(-1));
            } catch (JsonProcessingException e) {
                return new DuckErrors("", text, -1);
            }
        }
        return new DuckErrors("", text, -1);
    }

    /** The driver lost what went wrong before the first row of a streamed result. */
    boolean isLost() {
        return kind.isEmpty() && message.contains("Invalid result set");
    }

    /** The place in a text that this one was part of. */
    DuckErrors movedBy(int bytes) {
        return new DuckErrors(kind, message, location < 0 ? location : Math.max(-1, location + bytes));
    }

    /** A file was not where the image said. */
    boolean isFileTrouble() {
        return kind.equals("IO");
    }

    /** DuckDB will not work on after it. */
    boolean isBroken() {
        return kind.equalsIgnoreCase("INTERNAL") || kind.equalsIgnoreCase("FATAL") || message.contains("invalidated");
    }

    ErrorCode code() {
        return switch (kind) {
            case "Parser", "Syntax" -> ErrorCode.SYNTAX;
            case "Conversion", "Mismatch Type" -> ErrorCode.CONVERSION;
            case "Out of Range" -> ErrorCode.NUMBER_OUT_OF_RANGE;
            case "Out of Memory" -> ErrorCode.LIMIT_QUERY;
            case "Permission" -> ErrorCode.NOT_ALLOWED;
            case "Binder",
                    "Catalog",
                    "Invalid Input",
                    "Not implemented",
                    "Invalid type",
                    "Expression",
                    "Parameter Not Allowed" -> ErrorCode.BAD_REQUEST;
            default -> ErrorCode.INTERNAL;
        };
    }

    /** Without paths of files and names that are ours alone. */
    String words(SqlConfig config) {
        if (code() == ErrorCode.LIMIT_QUERY) {
            return "sql.memory-bytes: the statement needs more than " + config.memoryBytes()
                    + " bytes of memory (and sql.spill-bytes, " + config.spillBytes() + " bytes of disk)";
        }
        if (isFileTrouble()) {
            return "a file of the table could not be read";
        }
        return OURS.matcher(message.replace('\n', ' ')).replaceAll("time_bucket");
    }
}
