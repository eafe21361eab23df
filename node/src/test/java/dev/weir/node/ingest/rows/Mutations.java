package dev.weir.node.ingest.rows;

import java.util.Random;

/** Text with small faults, for fuzzing: characters replaced, put in, left out, the end cut off, a piece said twice. */
final class Mutations {
    private static final int PIECE_MAX = 12;

    private Mutations() {}

    /** @param alphabet what is put in */
    static String of(String from, int faults, String alphabet, Random random) {
        StringBuilder text = new StringBuilder(from);
        for (int left = faults; left > 0 && !text.isEmpty(); left--) {
            int at = random.nextInt(text.length());
            char c = alphabet.charAt(random.nextInt(alphabet.length()));
            switch (random.nextInt(5)) {
                case 0 -> text.setCharAt(at, c);
                case 1 -> text.insert(at, c);
                case 2 -> text.deleteCharAt(at);
                case 3 -> text.setLength(at);
                default -> text.insert(at, text.substring(at, Math.min(text.length(), at + random.nextInt(PIECE_MAX))));
            }
        }
        return text.toString();
    }
}
