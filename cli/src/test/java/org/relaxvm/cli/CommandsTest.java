package org.relaxvm.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.relaxvm.cli.command.BuiltInCommand;
import org.relaxvm.cli.output.Console;
import picocli.CommandLine;

class CommandsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Console console =
      new Console(new PrintWriter(out, true), new PrintWriter(err, true), false);

  @Test
  void theListHasTheDescriptionThatEachCommandHas() {
    for (BuiltInCommand command : BuiltInCommand.values()) {
      CommandLine created = command(command.text(), List.of(command.text()));
      CommandLine listed = command(command.text(), List.of());
      assertThat(created.getCommandSpec().optionsMap()).containsKey("--help");
      assertThat(listed.getCommandSpec().optionsMap()).isEmpty();
      assertThat(listed.getCommandSpec().usageMessage().description())
          .containsExactly(created.getCommandSpec().usageMessage().description())
          .containsExactly(command.description());
      assertThat(listed.getCommandSpec().aliases())
          .containsExactly(created.getCommandSpec().aliases());
    }
  }

  @Test
  void helpOfACommandIsThatOfTheCommandItself() {
    assertThat(Main.run(console, "bench", "--help")).isZero();
    String help = out.toString();
    assertThat(help).contains("--warmup=N");
    out.getBuffer().setLength(0);
    assertThat(Main.run(console, "help", "bench")).isZero();
    assertThat(out).hasToString(help);
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void devicesIsAnotherNameOfDoctor() {
    assertThat(BuiltInCommand.of("devices")).contains(BuiltInCommand.DOCTOR);
    assertThat(Main.run(console, "devices", "--help")).isZero();
    assertThat(out.toString()).startsWith("Usage: relaxvm doctor [-hV] [--json] [--measure]");
  }

  @Test
  void anUnknownCommandIsAWrongCommandLine() {
    assertThat(Main.run(console, "nosuch")).isEqualTo(2);
    assertThat(err)
        .hasToString(
            "relaxvm: error: no command 'nosuch'\n"
                + "  the commands are: run, check, bench, profile, inspect, compile, convert, rpc,"
                + " doctor, devices, help\n"
                + "  'relaxvm --help' lists what it takes\n");
  }

  private CommandLine command(String name, List<String> arguments) {
    return Objects.requireNonNull(Commands.of(console, arguments).getSubcommands().get(name), name);
  }
}
