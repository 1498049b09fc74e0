package org.relaxvm.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.output.Progress;

class WarmUpTest {
  private static final long MILLI = 1_000_000;

  private final Progress progress =
      new Progress(
          new Console(
              new PrintWriter(new StringWriter()), new PrintWriter(new StringWriter()), false),
          "calling",
          1);
  private long now;
  private int made;

  @Test
  void equallyFastCallsAreSteadyAfterThreeWindows() {
    WarmUp warmUp = run(-1, call -> 12 * MILLI);
    assertThat(warmUp).isEqualTo(new WarmUp(15, 180 * MILLI, true, false));
    assertThat(warmUp.text()).isEqualTo("15 calls in 0.2 s, then steady");
  }

  @Test
  void aWindowOfShortCallsHasMoreOfThem() {
    assertThat(run(-1, call -> MILLI)).isEqualTo(new WarmUp(60, 60 * MILLI, true, false));
  }

  @Test
  void callsGoOnWhileTheMedianFallsByMoreThanFivePercent() {
    // Medians of the windows of five calls: 100, 90, 80, then 78 and 76.
    long[] millis = {100, 90, 80, 78, 76};
    assertThat(run(-1, call -> millis[Math.min(call / 5, 4)] * MILLI).calls()).isEqualTo(25);
  }

  @Test
  void oneSlowCallDoesNotCount() {
    assertThat(run(-1, call -> (call == 0 ? 5_000 : 10) * MILLI).calls()).isEqualTo(15);
  }

  @Test
  void aFasterWindowStartsTheCountAnew() {
    assertThat(run(-1, call -> (call < 10 ? 10 : 5) * MILLI).calls()).isEqualTo(25);
  }

  @Test
  void warmUpEndsWithoutBeingSteady() {
    WarmUp warmUp = run(-1, call -> (5_000 - 400L * call) * MILLI);
    assertThat(warmUp.isSteady()).isFalse();
    assertThat(warmUp.calls()).isEqualTo(3);
    assertThat(warmUp.text()).isEqualTo("3 calls in 13.8 s, not steady by then");
  }

  @Test
  void aChosenNumberOfCallsIsMade() {
    WarmUp warmUp = run(1, call -> MILLI);
    assertThat(warmUp).isEqualTo(new WarmUp(1, MILLI, true, true));
    assertThat(warmUp.text()).isEqualTo("1 call in 0.0 s");
    assertThat(run(0, call -> MILLI).calls()).isZero();
  }

  private WarmUp run(int chosen, IntToLongFunction nanos) {
    made = 0;
    return WarmUp.run(() -> now += nanos.applyAsLong(made++), chosen, progress, () -> now);
  }
}
