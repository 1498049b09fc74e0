package org.relaxvm.integrationtests.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.integrationtests.OurModules;
import org.relaxvm.integrationtests.process.ProcessRun;

/** A pass over modules of another jar, which only knows the API, in {@code compile --pipeline}. */
class ThirdPartyPassTest {
  @TempDir private Path folder;
  private Path text;

  @BeforeEach
  void writeModule() throws Exception {
    text =
        Files.writeString(
            folder.resolve("model.relax"),
            """
            @I.ir_module
            class Module:
                @R.function
                def main(x: R.Tensor((n, 4), dtype="float32")) -> R.Tensor((n, 4), dtype="float32"):
                    with R.dataflow():
                        y = R.nn.relu(R.add(x, x))
                        R.output(y)
                    return y
            """);
  }

  private static JarBuilder jar() {
    return new JarBuilder()
        .sourcesOf(Path.of("src/test/resources/passes"))
        .service(FunctionProvider.class, "acme.MarkPass");
  }

  private Object[] compile(String pipeline) {
    return new Object[] {
      "compile",
      text,
      "-o",
      folder.resolve("model.rvm"),
      "--pipeline",
      pipeline,
      "--print-after",
      "acme.transform.Mark"
    };
  }

  private static void assertMarked(ProcessRun run) {
    assertThat(run.requireOut())
        .startsWith("# after acme.transform.Mark\n")
        .contains("I.module_attrs({\"acme.seen\": 1})")
        .contains("R.add(x, x)")
        .endsWith(", 2 kernels\n");
  }

  @Test
  void onTheClassPath() throws Exception {
    assertMarked(
        CommandInJvm.onClassPath(
            List.of(jar().build(folder.resolve("acme.jar"))),
            List.of(),
            compile("acme.transform.Mark,default")));
  }

  @Test
  void onTheModulePath() throws Exception {
    Path module =
        jar()
            .source(
                "module-info.java",
                """
                module acme {
                  requires org.relaxvm.api;
                  provides org.relaxvm.api.spi.FunctionProvider with acme.MarkPass;
                }
                """)
            .build(folder.resolve("acme.jar"));
    assertMarked(
        CommandInJvm.onModulePath(
            List.of(module),
            List.of("--enable-native-access=" + OurModules.NATIVE),
            compile("acme.transform.Mark,simplification,zero,lowering")));
  }

  @Test
  void anUnknownNameListsThePassesOfPlugins() throws Exception {
    ProcessRun run =
        CommandInJvm.onClassPath(
            List.of(jar().build(folder.resolve("acme.jar"))),
            List.of(),
            compile("acme.transform.Marks,default"));
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err())
        .startsWith(
            "relaxvm: error: there is no pass 'acme.transform.Marks'\n"
                + "  similar: acme.transform.Mark\n"
                + "  passes: default, lowering, simplification, zero, LambdaLift, ");
  }
}
