package org.relaxvm.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LoadBarTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private long nanos = Long.MAX_VALUE - 1000; // The clock may overflow.

  private Console console(boolean errTerminal) {
    return new Console(new PrintWriter(out), new PrintWriter(err), !errTerminal, errTerminal);
  }

  private void after(int millis) {
    nanos += Duration.ofMillis(millis).toNanos();
  }

  @Test
  void aLoadOfMoreThanASecondHasABarThatIsRemoved() {
    try (LoadBar bar = new LoadBar(console(true), () -> nanos)) {
      after(999);
      bar.report("importing", 1, 4);
      assertThat(err.toString()).isEmpty();
      after(1);
      bar.report("importing", 2, 4);
      bar.report("importing", 3, 4);
      after(100);
      bar.report("compiling", 4, 4);
    }
    assertThat(err.toString())
        .isEqualTo(
            "\r\u001b[Kimporting [###############---------------] 2/4"
                + "\r\u001b[Kcompiling [##############################] 4/4"
                + "\r\u001b[K");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aQuickLoadPrintsNothing() {
    try (LoadBar bar = new LoadBar(console(true), () -> nanos)) {
      after(500);
      bar.report("importing", 4, 4);
    }
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void whereStandardErrorIsNoTerminalNothingIsPrinted() {
    try (LoadBar bar = new LoadBar(console(false), () -> nanos)) {
      after(5000);
      bar.report("importing", 2, 4);
    }
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString()).isEmpty();
  }
}
