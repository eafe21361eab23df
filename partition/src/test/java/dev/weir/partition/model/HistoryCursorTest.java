package dev.weir.partition.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

final class HistoryCursorTest {
    private static final HistoryCursor PLACE = new HistoryCursor("00112233445566ff", 3, 17, -2, 300);

    @Test
    void hasItsBytes() throws Exception {
        assertThat(PLACE.encode("default")).isEqualTo("AhpDEeUAESIzRFVm_wMRA6wCY6e2Kg");
        assertThat(HistoryCursor.decode("AhpDEeUAESIzRFVm_wMRA6wCY6e2Kg", "default"))
                .isEqualTo(PLACE);
    }

    @Test
    void readsBackWhatWasWritten() throws Exception {
        Random random = new Random(5);
        for (int i = 0; i < 1000; i++) {
            HistoryCursor cursor = new HistoryCursor(
                    String.format("%016x", random.nextLong()),
                    random.nextInt(1 << 16),
                    random.nextInt(Integer.MAX_VALUE),
                    random.nextInt(),
                    random.nextLong() & Long.MAX_VALUE >> 2);

            assertThat(HistoryCursor.decode(cursor.encode("t"), "t")).isEqualTo(cursor);
        }
        HistoryCursor first = HistoryCursor.first("00112233445566ff");
        assertThat(HistoryCursor.decode(first.encode("t"), "t")).isEqualTo(first);
    }

    @Test
    void isToldFromAPlaceInTheLog() throws Exception {
        Cursor log = Cursor.of(3, 17);

        assertThat(HistoryCursor.isOne(PLACE.encode("t"))).isTrue();
        assertThat(HistoryCursor.isOne(log.encode("t"))).isFalse();
        assertThat(HistoryCursor.isOne(log.encode("t") + ";3:18")).isFalse();
        assertThat(HistoryCursor.isOne("3:17")).isFalse();
        assertThat(HistoryCursor.isOne("")).isFalse();
        assertThatThrownBy(() -> Cursor.decode(PLACE.encode("t"), "t")).isInstanceOf(BadCursorException.class);
        assertThatThrownBy(() -> HistoryCursor.decode(log.encode("t"), "t")).isInstanceOf(BadCursorException.class);
    }

    @Test
    void refusesOtherTenantsAndDamage() {
        String text = PLACE.encode("t");
        assertThatThrownBy(() -> HistoryCursor.decode(text, "u")).isInstanceOf(BadCursorException.class);
        for (int at = 0; at < text.length() - 1; at++) {
            String damaged = text.substring(0, at) + (text.charAt(at) == 'A' ? 'B' : 'A') + text.substring(at + 1);
            assertThatThrownBy(() -> HistoryCursor.decode(damaged, "t")).isInstanceOf(BadCursorException.class);
            String cut = text.substring(0, at);
            assertThatThrownBy(() -> HistoryCursor.decode(cut, "t")).isInstanceOf(BadCursorException.class);
        }
    }
}
