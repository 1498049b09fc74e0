package org.relaxvm.integrationtests.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.cli.spi.CaseFormat;
import org.relaxvm.integrationtests.process.ProcessRun;

/** A format of cases that a jar adds, in a JVM as the launcher starts it. */
class ProvidedCaseFormatTest {
  private static final String PROVIDER =
      """
      package %1$s;
      import java.nio.file.*;
      import org.relaxvm.cli.spi.*;
      public class Provider implements CaseFormat {
        public Provider() { %2$s }
        public String name() { return "sums"; }
        public String description() { return "a file that ends with .sum"; }
        public boolean accepts(Path path) { return path.toString().endsWith(".sum"); }
        public void check(Path path, CaseContext context) {
          var difference = context.difference(3L, 4L, 0);
          context.report(new CaseResult("three", 0, "f", "", CaseResult.Verdict.AGREES, ""));
          context.report(new CaseResult("four", 0, "f", " (of " + path.getFileName() + ")",
              CaseResult.Verdict.DIFFERS, difference.get()));
          context.report(new CaseResult("five", 0, "g", "", CaseResult.Verdict.UNSUPPORTED,
              "no function g"));
        }
      }
      """;

  @TempDir Path folder;

  private Path plugin(String jarName, String inConstructor) {
    return new JarBuilder()
        .source(jarName + "/Provider.java", PROVIDER.formatted(jarName, inConstructor))
        .service(CaseFormat.class, jarName + ".Provider")
        .build(folder.resolve(jarName + ".jar"));
  }

  @Test
  void checkRunsItsCases() throws Exception {
    Path file = Files.writeString(folder.resolve("some.sum"), "");
    Path failing = plugin("failing", "if (true) throw new IllegalStateException();");
    ProcessRun run =
        CommandInJvm.onClassPath(List.of(failing, plugin("acme", "")), List.of(), "check", file);
    assertThat(run.out())
        .isEqualTo(
            """
            ok    three run 0 f
            FAIL  four run 0 f (of some.sum): result: expected 3, but got 4
            skip  five run 0 g: no function g
            1 passed, 1 failed, 1 unsupported
            """);
    assertThat(run.err())
        .startsWith("relaxvm: warning: a format of cases of " + failing + " is not used: ");
    assertThat(run.status()).isEqualTo(1);
  }
}
