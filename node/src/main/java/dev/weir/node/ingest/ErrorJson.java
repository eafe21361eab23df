package dev.weir.node.ingest;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.node.ingest.write.RowReport;
import dev.weir.partition.model.ErrorCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/**
 * Bodies of error answers:
 * {@code {"error","code","message","accepted","rejected","retry","unknown","rows":[{"line","code","message"}]}}. {@code message}
 * repeats the error under the name that clients of Influx's v2 interface look for.
 */
final class ErrorJson {
    private static final JsonFactory JSON = new JsonFactory();

    private ErrorJson() {}

    /** Of a request of which no row was looked at; or, where that can't be told, without counts. */
    static byte[] of(ErrorCode code, String error) {
        boolean nothingDone = code != ErrorCode.INTERNAL && code != ErrorCode.UNKNOWN_OUTCOME;
        return write(json -> {
            head(json, code, error);
            if (nothingDone) {
                counts(json, 0, 0, 0, 0);
                json.writeArrayFieldStart("rows");
                json.writeEndArray();
            }
        });
    }

    static byte[] ofRows(ErrorCode code, String error, RowReport report, List<RowReport.Listed> rows) {
        return write(json -> {
            head(json, code, error);
            counts(json, report.accepted(), report.rejected(), report.retry(), report.unknown());
            json.writeArrayFieldStart("rows");
            for (RowReport.Listed row : rows) {
                json.writeStartObject();
                json.writeNumberField("line", row.line());
                json.writeStringField("code", row.code().wireName());
                json.writeStringField("message", row.message());
                json.writeEndObject();
            }
            json.writeEndArray();
        });
    }

    private static void head(JsonGenerator json, ErrorCode code, String error) throws IOException {
        json.writeStringField("error", error);
        json.writeStringField("code", code.wireName());
        json.writeStringField("message", error);
    }

    private static void counts(JsonGenerator json, int accepted, int rejected, int retry, int unknown)
            throws IOException {
        json.writeNumberField("accepted", accepted);
        json.writeNumberField("rejected", rejected);
        json.writeNumberField("retry", retry);
        json.writeNumberField("unknown", unknown);
    }

    private interface Members {
        void write(JsonGenerator json) throws IOException;
    }

    private static byte[] write(Members members) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            members.write(json);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
