package dev.weir.partition.file;

import dev.weir.partition.model.Column;
import dev.weir.partition.model.TableSchema;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What the columns of a table are called in its files, so that readers which ignore case, split at dots or take {@code date} from the folder
 * see each of them once.
 *
 * <p>A column keeps its name unless the name is empty or longer than {@value #NAME_CHARS_MAX} characters, holds a control character or one of
 * {@code space . , ; = ( ) { } " ` \}, equals one of {@link #RESERVED} or the name of a column with a smaller id when case is ignored, or ends
 * like a made name. Then it is called by its name with these characters as {@code _}, cut to the length, {@code __c} and its id.
 */
public final class ColumnNames {
    public static final String TIME = "time";
    public static final String TIME_NS = "_time_ns";
    public static final String SEQ = "_seq";
    static final String SERIES_HASH = "_series_hash";

    /** Field ids of our own columns, beyond all column ids. */
    static final int OWN_IDS = 1 << 21;

    public static final int TIME_ID = OWN_IDS + 1;
    public static final int TIME_NS_ID = OWN_IDS + 2;
    public static final int SEQ_ID = OWN_IDS + 3;
    static final int SERIES_HASH_ID = OWN_IDS + 4;
    /** Of the day, which is no column of a file: it is in the name of its folder. */
    public static final int DATE_ID = OWN_IDS + 5;

    /** Our own columns, and the day in the names of folders. */
    static final Set<String> RESERVED = Set.of(TIME, TIME_NS, SEQ, SERIES_HASH, "date");

    private static final int NAME_CHARS_MAX = 128;
    private static final Pattern UNSAFE = Pattern.compile("[\\x00-\\x20\\x7f.,;=(){}\"`\\\\]");
    private static final Pattern MADE = Pattern.compile(".*__c[0-9]+", Pattern.DOTALL);

    private ColumnNames() {}

    /** By column id. */
    public static Map<Integer, String> of(TableSchema schema) {
        Map<Integer, String> names = new HashMap<>();
        Set<String> taken = new HashSet<>(RESERVED);
        for (Column column : schema.columns()) {
            boolean isFirst = taken.add(column.name().toLowerCase(Locale.ROOT));
            names.put(column.id(), isFirst && isSafe(column.name()) ? column.name() : made(column));
        }
        return names;
    }

    private static boolean isSafe(String name) {
        return !name.isEmpty()
                && name.length() <= NAME_CHARS_MAX
                && !UNSAFE.matcher(name).find()
                && !MADE.matcher(name).matches();
    }

    private static String made(Column column) {
        String name = UNSAFE.matcher(column.name()).replaceAll("_");
        int end = Math.min(name.length(), NAME_CHARS_MAX);
        boolean splitsPair = end > 0 && end < name.length() && Character.isHighSurrogate(name.charAt(end - 1));
        return name.substring(0, splitsPair ? end - 1 : end) + "__c" + column.id();
    }
}
