package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Measuring calls (docs/spec/vm-semantics.md, section 9), with a clock that the measured function
 * moves.
 */
class TimeEvaluatorTest {
  private static final long MILLI = 1_000_000;

  private final TestDevices devices = new TestDevices();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicLong clock = new AtomicLong();
  private long nanosPerCall = MILLI;
  private VirtualMachine vm;

  @BeforeEach
  void build() {
    TestProgram program = new TestProgram().function("main", 0, 1).call("work", 0).ret(0);
    vm =
        TestFunctions.builder(program, devices)
            .function(
                "work",
                (_, result) -> {
                  clock.addAndGet(nanosPerCall);
                  result.setLong(calls.incrementAndGet());
                })
            .build();
  }

  @AfterEach
  void close() {
    vm.close();
    devices.close();
  }

  private TimeEvaluator evaluator() {
    return new TimeEvaluator(vm, clock::get);
  }

  @Test
  void callsOnceAndThenRepeatTimesNumber() {
    Timing timing = evaluator().number(5).repeat(3).run("main");
    assertThat(calls).hasValue(1 + 3 * 5);
    assertThat(timing.results()).containsExactly(0.001, 0.001, 0.001);
    ByteBuffer bytes = ByteBuffer.wrap(timing.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(bytes.remaining()).isEqualTo(3 * Double.BYTES);
    assertThat(bytes.getDouble()).isEqualTo(0.001);
  }

  @Test
  void numberGrowsUntilTheLeastTimeIsReached() {
    Timing timing = evaluator().number(1).repeat(2).minRepeatMillis(10).run("main");
    // 1 call takes 1 ms, so 10 / 1 + 1 = 11 are timed next; the second time begins with 11.
    assertThat(calls).hasValue(1 + 1 + 11 + 11);
    assertThat(timing.mean()).isEqualTo(0.001, within(1e-12));
  }

  @Test
  void timesOfZeroAreTriedAgainUpToALimit() {
    nanosPerCall = 0;
    Timing timing = evaluator().number(2).minRepeatMillis(1).limitZeroTimeIterations(4).run("main");
    assertThat(calls).hasValue(1 + 4 * 2);
    assertThat(timing.results()).containsExactly(0.0);
  }

  @Test
  void preprocessingRunsBeforeEachTimeAndIsNotMeasured() {
    AtomicInteger prepared = new AtomicInteger();
    Timing timing =
        evaluator()
            .number(2)
            .repeat(3)
            .cacheFlushBytes(64)
            .preprocess(() -> clock.addAndGet(prepared.incrementAndGet() * 100 * MILLI))
            .run("main");
    assertThat(prepared).hasValue(3);
    assertThat(timing.max()).isEqualTo(0.001);
  }

  @Test
  void summaryIsTheTableOfApacheTvm() {
    Timing timing = new Timing(new double[] {0.001, 0.004, 0.002, 0.005});
    assertThat(timing.mean()).isEqualTo(0.003);
    assertThat(timing.median()).isEqualTo(0.003);
    assertThat(timing.min()).isEqualTo(0.001);
    assertThat(timing.max()).isEqualTo(0.005);
    assertThat(timing.std()).isEqualTo(Math.sqrt(2.5e-6), within(1e-12));
    assertThat(timing)
        .hasToString(
            "Execution time summary:\n"
                + " mean (ms)   median (ms)    max (ms)     min (ms)     std (ms)  \n"
                + "   3.0000       3.0000       5.0000       1.0000       1.5811   \n"
                + "               ");
  }

  @Test
  void settingsAreChecked() {
    assertThatThrownBy(() -> evaluator().number(0))
        .hasMessage("number must be at least 1, but is 0");
  }
}
