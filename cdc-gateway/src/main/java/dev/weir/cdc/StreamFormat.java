package dev.weir.cdc;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The formats of a change stream. {@code Accept} chooses: the highest quality, of equal ones the one that is named first; ranges mean SSE. */
enum StreamFormat {
    SSE("text/event-stream", "; charset=utf-8", Set.of("text/event-stream", "text/*", "*/*")),
    ARROW("application/vnd.apache.arrow.stream", "", Set.of("application/vnd.apache.arrow.stream"));

    private final String mediaType;
    private final String parameters;
    private final Set<String> ranges;

    StreamFormat(String mediaType, String parameters, Set<String> ranges) {
        this.mediaType = mediaType;
        this.parameters = parameters;
        this.ranges = ranges;
    }

    String contentType() {
        return mediaType + parameters;
    }

    /** @throws RequestRefused the client takes none of the formats that there are */
    static StreamFormat of(@Nullable String accept) {
        if (accept == null || accept.isBlank()) {
            return SSE;
        }
        StreamFormat best = null;
        double bestQuality = 0;
        for (String range : accept.split(",")) {
            String[] parts = range.split(";");
            String media = parts[0].strip().toLowerCase(Locale.ROOT);
            double quality = quality(parts);
            for (StreamFormat format : values()) {
                if (format.ranges.contains(media) && quality > bestQuality) {
                    best = format;
                    bestQuality = quality;
                }
            }
        }
        if (best == null) {
            String offered =
                    Arrays.stream(values()).map(format -> format.mediaType).collect(Collectors.joining(", "));
            throw new RequestRefused(
                    Refusal.of(
                            ErrorCode.UNSUPPORTED_MEDIA, "Accept: " + accept + " is not offered; expected " + offered),
                    406,
                    Map.of("offered", offered));
        }
        return best;
    }

    /** 1 where none is given; 0, which refuses, where it can't be read. */
    private static double quality(String[] parts) {
        for (String part : parts) {
            String parameter = part.strip();
            if (parameter.startsWith("q=")) {
                return parameter.matches("q=[01](\\.[0-9]{0,3})?") ? Double.parseDouble(parameter.substring(2)) : 0;
            }
        }
        return 1;
    }
}
