package org.relaxvm.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.cli.output.Console;

class PlainRunTest {
  @TempDir Path folder;

  private record Outcome(int code, String out, String err) {
    static Outcome of(String... args) {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      int code = Main.run(new Console(new PrintWriter(out), new PrintWriter(err), false), args);
      return new Outcome(code, out.toString(), err.toString());
    }
  }

  @Test
  void onlyARunWithoutOptionsIsPlain() {
    assertThat(PlainRun.takes("run", "a.rvm")).isTrue();
    assertThat(PlainRun.takes("run", "a.rvm", "x=1", "null")).isTrue();
    assertThat(PlainRun.takes("run")).isFalse();
    assertThat(PlainRun.takes("bench", "a.rvm")).isFalse();
    assertThat(PlainRun.takes("run", "a.rvm", "-1")).isFalse();
    assertThat(PlainRun.takes("run", "a.rvm", "--json")).isFalse();
    assertThat(PlainRun.takes("run", "--", "a.rvm")).isFalse();
    assertThat(PlainRun.takes("run", "@arguments")).isFalse();
    assertThat(PlainRun.takes("run", "")).isFalse();
    assertThat(PlainRun.takes()).isFalse();
  }

  @Test
  void aMissingFileFailsAsItDoesWithOptions() {
    String file = folder.resolve("none.rvm").toString();
    Outcome plain = Outcome.of("run", file);
    assertThat(plain).isEqualTo(Outcome.of("run", file, "--parallelism=1"));
    assertThat(plain.code()).isEqualTo(1);
    assertThat(plain.err()).startsWith("relaxvm: error: ").contains(file);
  }

  @Test
  void aFileThatIsNoProgramFailsAsItDoesWithOptions() throws Exception {
    String file = Files.writeString(folder.resolve("notes.txt"), "no program").toString();
    Outcome plain = Outcome.of("run", file, "ones:2:float32");
    assertThat(plain).isEqualTo(Outcome.of("run", file, "ones:2:float32", "--parallelism=1"));
    assertThat(plain.code()).isEqualTo(1);
  }
}
