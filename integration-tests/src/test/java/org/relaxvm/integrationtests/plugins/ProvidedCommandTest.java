package org.relaxvm.integrationtests.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.cli.spi.CommandProvider;
import org.relaxvm.integrationtests.process.ProcessRun;

/** A command that a jar adds, in a JVM as the launcher starts it. */
class ProvidedCommandTest {
  private static final String PROVIDER =
      """
      package %1$s;
      import org.relaxvm.cli.output.Console;
      import org.relaxvm.cli.spi.CommandProvider;
      public class Provider implements CommandProvider {
        public Provider() { %3$s }
        public String name() { return "%2$s"; }
        public String description() { return "Greets."; }
        public Object command(Console console) { return new Greeting(console); }
      }
      """;

  private static final String COMMAND =
      """
      package %1$s;
      import java.util.concurrent.Callable;
      import org.relaxvm.api.error.*;
      import org.relaxvm.cli.output.Console;
      import picocli.CommandLine.*;
      @Command(name = "greet", description = "Greets.", mixinStandardHelpOptions = true)
      public class Greeting implements Callable<Integer> {
        private final Console console;
        @Parameters(paramLabel = "NAME") String name;
        public Greeting(Console console) { this.console = console; }
        public Integer call() {
          if (name.equals("nobody")) throw new CallException(ErrorKind.VALUE, "nobody is there");
          console.out().println("hello " + name);
          return 0;
        }
      }
      """;

  @TempDir Path folder;
  private Path jar;

  @BeforeEach
  void buildPlugin() {
    jar = plugin("acme", "greet", "");
  }

  private Path plugin(String jarName, String command, String inConstructor) {
    return new JarBuilder()
        .source(jarName + "/Provider.java", PROVIDER.formatted(jarName, command, inConstructor))
        .source(jarName + "/Greeting.java", COMMAND.formatted(jarName))
        .service(CommandProvider.class, jarName + ".Provider")
        .build(folder.resolve(jarName + ".jar"));
  }

  @Test
  void theListOfCommandsHasItWithoutLoadingItsClass() throws Exception {
    ProcessRun help = run(List.of(jar), List.of("-Xlog:class+load=info:file=" + log()), "--help");
    assertThat(help.status()).isZero();
    assertThat(help.err()).isEmpty();
    assertThat(help.out())
        .containsPattern("\n  greet +Greets\\.\n")
        .containsPattern("\n  run +Runs a function");
    assertThat(log())
        .content()
        .contains("acme.Provider")
        .doesNotContain("acme.Greeting")
        .doesNotContain("org.relaxvm.cli.command.RunCommand");
  }

  @Test
  void itRunsAndItsErrorsAreMessages() throws Exception {
    ProcessRun greeting = run(List.of(jar), List.of(), "greet", "world");
    assertThat(greeting.err()).isEmpty();
    assertThat(greeting.out()).isEqualTo("hello world\n");
    assertThat(greeting.status()).isZero();
    ProcessRun failing = run(List.of(jar), List.of(), "greet", "nobody");
    assertThat(failing.err()).isEqualTo("relaxvm: error: nobody is there\n");
    assertThat(failing.status()).isEqualTo(1);
    assertThat(run(List.of(jar), List.of(), "greet", "--help").out())
        .startsWith("Usage: relaxvm greet [-hV] NAME\nGreets.\n");
  }

  @Test
  void builtInCommandsRunWithoutAskingJars() throws Exception {
    ProcessRun doctor =
        run(
            List.of(jar),
            List.of("-Xlog:class+load=info:file=" + log()),
            "inspect",
            "../examples/digits/digits.rvm");
    assertThat(doctor.status()).isZero();
    assertThat(log()).content().doesNotContain("acme.Provider");
  }

  @Test
  void badProvidersAndNamesThatAreTakenAreReported() throws Exception {
    Path failing = plugin("failing", "fail", "if (true) throw new IllegalStateException();");
    Path second = plugin("second", "greet", "");
    Path taken = plugin("taken", "run", "");
    ProcessRun help = run(List.of(failing, jar, second, taken), List.of(), "--help");
    assertThat(help.status()).isZero();
    assertThat(help.out()).containsPattern("\n  greet +Greets\\.\n").doesNotContain("\n  fail");
    assertThat(help.err())
        .isEqualTo(
            "relaxvm: warning: the command provider failing.Provider of "
                + failing
                + " is not used: org.relaxvm.cli.spi.CommandProvider: Provider failing.Provider"
                + " could not be instantiated\n"
                + "relaxvm: warning: command 'greet' of "
                + second
                + " is not used: "
                + jar
                + " has a command of that name\n"
                + "relaxvm: warning: command 'run' of "
                + taken
                + " is not used: RelaxVM has a command of that name\n");
  }

  @Test
  void aProviderThatCannotBeLoadedHidesNoOther() throws Exception {
    Path missing =
        new JarBuilder()
            .service(CommandProvider.class, "missing.Provider")
            .build(folder.resolve("missing.jar"));
    Path help = plugin("another", "help", "");
    ProcessRun greeting = run(List.of(missing, help, jar), List.of(), "greet", "world");
    assertThat(greeting.status()).isZero();
    assertThat(greeting.out()).isEqualTo("hello world\n");
    assertThat(greeting.err())
        .isEqualTo(
            "relaxvm: warning: a command provider is not used:"
                + " org.relaxvm.cli.spi.CommandProvider: Provider missing.Provider not found\n"
                + "relaxvm: warning: command 'help' of "
                + help
                + " is not used: RelaxVM has a command of that name\n");
  }

  @Test
  void aCommandMayBeNamedInAFileOfArguments() throws Exception {
    Path arguments = Files.writeString(folder.resolve("arguments"), "greet\nworld\n");
    assertThat(run(List.of(jar), List.of(), "@" + arguments).out()).isEqualTo("hello world\n");
    Files.writeString(arguments, "inspect ../examples/digits/digits.rvm\n");
    assertThat(run(List.of(jar), List.of(), "@" + arguments).status()).isZero();
  }

  private Path log() {
    return folder.resolve("classes.log");
  }

  private static ProcessRun run(List<Path> jars, List<String> flags, Object... arguments)
      throws IOException, InterruptedException {
    return CommandInJvm.onClassPath(jars, flags, arguments);
  }
}
