package dev.weir.cdc.consumer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.partition.model.Cursor;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What the server encodes is read; anything else is refused. */
class CursorVectorTest {
    private static Cursor random(Random random) {
        TreeMap<Integer, Long> next = new TreeMap<>();
        for (int i = random.nextInt(20); i >= 0; i--) {
            next.put(random.nextInt(1 << random.nextInt(1, 31)), random.nextLong() >>> 1 >>> random.nextInt(63));
        }
        return new Cursor(next);
    }

    @Test
    void readsWhatTheServerWrites() {
        Random random = new Random(20261130);
        for (int i = 0; i < 1000; i++) {
            Cursor cursor = random(random);
            String text = cursor.encode("tenant " + i);
            assertThat(CursorVector.parse(text).next()).isEqualTo(cursor.next());
            int partition = cursor.next().firstKey();
            assertThat(CursorVector.parse(text + ";" + partition + ":77").next())
                    .isEqualTo(cursor.with(partition, 77).next());
        }
    }

    @Test
    void refusesDamage() {
        String text = new Cursor(new TreeMap<>(Map.of(3, 500L, 9, 1L))).encode("default");
        for (int i = 0; i < text.length(); i++) {
            char other = text.charAt(i) == 'A' ? 'B' : 'A';
            String damaged = text.substring(0, i) + other + text.substring(i + 1);
            // Of the last character some bits mean nothing.
            if (i < text.length() - 1) {
                assertThatThrownBy(() -> CursorVector.parse(damaged)).isInstanceOf(IllegalArgumentException.class);
            }
            String cut = text.substring(0, i);
            assertThatThrownBy(() -> CursorVector.parse(cut)).isInstanceOf(IllegalArgumentException.class);
        }
        for (String bad : new String[] {"", ";", "earliest", "3:4", text + ";3", text + ";3:x", "ä" + text}) {
            assertThatThrownBy(() -> CursorVector.parse(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
