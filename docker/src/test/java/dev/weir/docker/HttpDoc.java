package dev.weir.docker;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The commands of HTTP.md and what the page says that they print. */
final class HttpDoc {
    private HttpDoc() {}

    /**
     * One {@code sh} block.
     *
     * @param heading the section it stands in
     * @param expected lines of the {@code text} block after it, if there is one
     */
    record Example(String heading, int line, String script, List<String> expected) {
        /** Whether a line of output is what an expected line means; {@code …} stands for anything. */
        static boolean matches(String expected, String line) {
            StringBuilder pattern = new StringBuilder();
            for (String part : expected.split("…", -1)) {
                pattern.append(pattern.isEmpty() ? "" : ".*").append(Pattern.quote(part));
            }
            return Pattern.compile(pattern.toString(), Pattern.DOTALL)
                    .matcher(line)
                    .matches();
        }

        @Override
        public String toString() {
            return heading + ", line " + line;
        }
    }

    static List<Example> read(Path page) throws IOException {
        List<Example> examples = new ArrayList<>();
        String heading = "";
        String fence = "";
        int start = 0;
        List<String> block = new ArrayList<>();
        List<String> lines = Files.readAllLines(page);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (fence.isEmpty() && line.startsWith("#")) {
                heading = line.replaceFirst("#+ ", "");
            } else if (fence.isEmpty() && line.startsWith("```")) {
                fence = line.equals("```") ? "```plain" : line;
                start = i + 2;
                block.clear();
            } else if (line.equals("```")) {
                close(examples, fence, heading, start, List.copyOf(block));
                fence = "";
            } else if (!fence.isEmpty()) {
                block.add(line);
            }
        }
        return examples;
    }

    private static void close(List<Example> examples, String fence, String heading, int line, List<String> block) {
        if (fence.equals("```sh")) {
            examples.add(new Example(heading, line, String.join("\n", block), List.of()));
        } else if (fence.equals("```text")) {
            Example last = examples.removeLast();
            examples.add(new Example(last.heading(), last.line(), last.script(), block));
        }
    }
}
