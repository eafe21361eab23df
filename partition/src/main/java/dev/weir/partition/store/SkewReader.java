package dev.weir.partition.store;

import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Compares the {@code Date} of every answer, refusals included, with this machine's clock. */
final class SkewReader implements ExecutionInterceptor {
    private final StoreMetrics metrics;

    SkewReader(StoreMetrics metrics) {
        this.metrics = metrics;
    }

    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        context.httpResponse().firstMatchingHeader("Date").ifPresent(this::compare);
    }

    private void compare(String date) {
        try {
            Instant server = ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            long skewMs = server.toEpochMilli() - System.currentTimeMillis();
            metrics.skew(Math.abs(skewMs) < 1000 ? 0 : skewMs);
        } catch (DateTimeParseException e) {
            metrics.skew(0);
        }
    }
}
