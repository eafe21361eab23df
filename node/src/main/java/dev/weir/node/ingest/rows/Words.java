package dev.weir.node.ingest.rows;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The words that line protocol has for values. */
final class Words {
    private static final int LONGEST = 9;

    private Words() {}

    /** 1 of true, 0 of false, -1 of neither. */
    static int truth(byte[] body, int from, int length) {
        if (length == 1) {
            return switch (body[from]) {
                case 't', 'T' -> 1;
                case 'f', 'F' -> 0;
                default -> -1;
            };
        }
        if (length != 4 && length != 5) {
            return -1;
        }
        return switch (new String(body, from, length, StandardCharsets.ISO_8859_1)) {
            case "true", "True", "TRUE" -> 1;
            case "false", "False", "FALSE" -> 0;
            default -> -1;
        };
    }

    /** Whether this is a spelling of NaN or infinity. */
    static boolean notANumber(byte[] body, int from, int length) {
        if (length > LONGEST) {
            return false;
        }
        return switch (new String(body, from, length, StandardCharsets.ISO_8859_1).toLowerCase(Locale.ROOT)) {
            case "nan", "+nan", "-nan", "inf", "+inf", "-inf", "infinity", "+infinity", "-infinity" -> true;
            default -> false;
        };
    }
}
