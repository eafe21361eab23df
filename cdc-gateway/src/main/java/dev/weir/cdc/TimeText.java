package dev.weir.cdc;

import java.time.LocalDate;

/** Writes instants as RFC 3339 in UTC with nine digits. Remembers the last day; one instance for one thread. */
final class TimeText {
    private static final long NANOS_OF_SECOND = 1_000_000_000L;
    private static final int SECONDS_OF_DAY = 86_400;

    private long day = Long.MIN_VALUE;
    private byte[] dayText = new byte[0];

    /** Quotes included. */
    void put(JsonBytes out, long nanos) {
        long second = Math.floorDiv(nanos, NANOS_OF_SECOND);
        long newDay = Math.floorDiv(second, SECONDS_OF_DAY);
        if (newDay != day) {
            day = newDay;
            dayText = JsonBytes.ascii("\"" + LocalDate.ofEpochDay(newDay) + "T");
        }
        int ofDay = (int) (second - newDay * SECONDS_OF_DAY);
        out.put(dayText);
        out.padded(ofDay / 3600, 2);
        out.put(':');
        out.padded(ofDay / 60 % 60, 2);
        out.put(':');
        out.padded(ofDay % 60, 2);
        out.put('.');
        out.padded((int) (nanos - second * NANOS_OF_SECOND), 9);
        out.put('Z');
        out.put('"');
    }
}
