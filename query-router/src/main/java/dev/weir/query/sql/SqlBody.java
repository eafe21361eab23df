package dev.weir.query.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.partition.model.ErrorCode;
import dev.weir.query.sql.gate.SqlRefusedException;
import io.vertx.core.Handler;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Receives a statement: as {@code {"query": "…"}}, or bare. On the event loop. */
final class SqlBody {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServerRequest request;
    private final int bytesMax;
    private final Buffer body = Buffer.buffer();

    /** @param bytesMax of the body; JSON may need more bytes than the statement has */
    SqlBody(HttpServerRequest request, int bytesMax) {
        this.request = request;
        this.bytesMax = bytesMax;
    }

    void receive(Consumer<String> statement, Handler<SqlRefusedException> refused) {
        String encoding = request.getHeader("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            refused.handle(SqlRefusedException.nowhere(
                    ErrorCode.UNSUPPORTED_MEDIA, "Content-Encoding: expected none, found " + encoding));
            return;
        }
        request.handler(piece -> {
            if (body.length() <= bytesMax) {
                body.appendBuffer(piece);
            }
        });
        request.endHandler(nothing -> {
            String text;
            try {
                text = statement();
            } catch (SqlRefusedException e) {
                refused.handle(e);
                return;
            }
            statement.accept(text);
        });
    }

    private String statement() {
        if (body.length() > bytesMax) {
            throw SqlRefusedException.nowhere(
                    ErrorCode.TOO_LARGE, "sql.text-bytes-max: the body has more than " + bytesMax + " bytes");
        }
        String text = utf8();
        String type = request.getHeader("Content-Type");
        return isJson(type, text) ? query(text) : text;
    }

    private String utf8() {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body.getBytes()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw SqlRefusedException.nowhere(ErrorCode.INVALID_UTF8, "the body is not UTF-8");
        }
    }

    /** No statement begins with a brace. */
    private static boolean isJson(@Nullable String type, String text) {
        return (type != null && type.toLowerCase(Locale.ROOT).startsWith("application/json"))
                || text.stripLeading().startsWith("{");
    }

    private static String query(String text) {
        try {
            JsonNode query = JSON.readTree(text).path("query");
            if (query.isTextual()) {
                return query.textValue();
            }
        } catch (JsonProcessingException e) {
            throw SqlRefusedException.nowhere(ErrorCode.SYNTAX, "the body is no JSON: " + e.getOriginalMessage());
        }
        throw SqlRefusedException.nowhere(ErrorCode.BAD_REQUEST, "the body: expected {\"query\": \"…\"}");
    }
}
