package dev.weir.wal.ratis;

import static dev.weir.wal.ratis.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class StateGateTest {
    private final StateGate gate = new StateGate();

    @Test
    void whoWaitsForAnInstallAppliesIfItFails() throws Exception {
        assertThat(gate.beginInstall()).isTrue();
        CompletableFuture<Boolean> entered = enterElsewhere();
        assertThat(gate.beginInstall()).isFalse();
        assertThat(gate.endInstall(false)).isTrue();
        assertThat(entered.get()).isTrue();
        assertThat(gate.mode()).isEqualTo(StateGate.Mode.OPEN);
    }

    @Test
    void whoWaitsForAnInstallIsPassedOverIfItSucceeds() throws Exception {
        gate.beginInstall();
        CompletableFuture<Boolean> entered = enterElsewhere();
        assertThat(gate.endInstall(true)).isTrue();
        assertThat(entered.get()).isFalse();
        gate.restored();
        assertThat(gate.enter()).isTrue();
        gate.leave();
    }

    @Test
    void nobodyEntersWhenShut() throws Exception {
        gate.beginInstall();
        CompletableFuture<Boolean> entered = enterElsewhere();
        gate.shut();
        assertThat(entered.get()).isFalse();
        assertThat(gate.endInstall(true)).isFalse();
        assertThat(gate.beginInstall()).isFalse();
    }

    private CompletableFuture<Boolean> enterElsewhere() {
        Thread[] waiting = new Thread[1];
        CompletableFuture<Boolean> entered = CompletableFuture.supplyAsync(
                () -> {
                    waiting[0] = Thread.currentThread();
                    boolean open = gate.enter();
                    if (open) {
                        gate.leave();
                    }
                    return open;
                },
                Executors.newSingleThreadExecutor());
        await().atMost(SOON).until(() -> waiting[0] != null && waiting[0].getState() == Thread.State.WAITING);
        return entered;
    }
}
