package dev.weir.ops.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.ops.local.ProcessRecord.State;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcessRecordTest {
    @ParameterizedTest
    @CsvSource({"R,40,running", "S,1,running", "D,3,running", "T,40,paused", "t,1,paused", "Z,1,gone", "X,0,gone"})
    void tellsWhatAProcessDoes(String letter, int threads, State state) {
        assertThat(ProcessRecord.state(stat(letter, threads))).isEqualTo(state);
    }

    @Test
    void killedProcessIsThereUntilItsLastThreadEnds() {
        assertThat(ProcessRecord.state(stat("Z", 2))).isEqualTo(State.running);
    }

    @Test
    void thisProcessRunsAndAnotherStartOfItsPidIsGone() throws IOException {
        ProcessRecord here = ProcessRecord.of(ProcessHandle.current().pid());
        assertThat(here.state()).isEqualTo(State.running);
        assertThat(new ProcessRecord(here.pid(), here.startTicks() + 1, here.bootId()).state())
                .isEqualTo(State.gone);
    }

    /** From the third field on, as in {@code /proc/<pid>/stat}: the state is the 3rd of all, the threads are the 20th. */
    private static String[] stat(String letter, int threads) {
        String[] fields = new String[50];
        Arrays.fill(fields, "0");
        fields[0] = letter;
        fields[17] = Integer.toString(threads);
        return fields;
    }
}
