package dev.weir.node.letters;

import dev.weir.partition.model.ErrorCode;
import dev.weir.partition.model.Refusal;
import dev.weir.partition.model.RefusedException;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The name of a letter, {@code <ns>.<node>.<code>}: letters are read in the order of their times, then names. */
record LetterId(long timeNanos, String text) {
    private static final Pattern FORM = Pattern.compile("(\\d{1,19})\\.[A-Za-z0-9_-]{1,32}\\.[a-z0-9_]+");

    /** @throws RefusedException it is none */
    static LetterId parse(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new RefusedException(Refusal.of(
                    ErrorCode.BAD_REQUEST,
                    "after: expected the id of a letter, such as 1796014426954245302.node1.syntax"));
        }
        return new LetterId(Long.parseLong(matcher.group(1)), text);
    }

    /** After WHERE: letters that come after this one. */
    String laterOnes() {
        String time = "'" + Instant.ofEpochSecond(0, timeNanos) + "'";
        return "time >= " + time + " AND (time > " + time + " OR id > " + LetterFilter.quoted(text) + ")";
    }
}
