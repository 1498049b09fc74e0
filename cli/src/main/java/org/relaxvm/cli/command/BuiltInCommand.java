package org.relaxvm.cli.command;

import java.util.List;
import java.util.Optional;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.rpc.RpcCommand;

/** The commands that are always there. Naming one loads no class of a command. */
public enum BuiltInCommand {
  /** Runs a function once. */
  RUN("run", "Runs a function of a program and prints its result."),
  /** Compares results with expected ones. */
  CHECK(
      "check",
      "Compares results with the expected ones, of cases, Relax IR modules or ONNX models."),
  /** Times a function. */
  BENCH("bench", "Times a function of a program."),
  /** Profiles a function. */
  PROFILE("profile", "Shows where a function of a program spends time and memory."),
  /** Shows a program. */
  INSPECT("inspect", "Shows what a program consists of, without running it."),
  /** Compiles Relax IR. */
  COMPILE("compile", "Compiles a program in Relax IR (text) or an ONNX model to a .rvm package."),
  /** Writes another format. */
  CONVERT("convert", "Writes a program or a module in another format."),
  /** Remote devices. */
  RPC("rpc", "Runs programs and functions on other machines."),
  /** Lists devices and providers. */
  DOCTOR(
      "doctor",
      "Lists backends, devices and plugins; says what is unusable, why, and what to do.",
      "devices");

  private final String text;
  private final String description;
  private final List<String> aliases;

  BuiltInCommand(String text, String description, String... aliases) {
    this.text = text;
    this.description = description;
    this.aliases = List.of(aliases);
  }

  /** The command's name. */
  public String text() {
    return text;
  }

  /** What the command does, in one line. */
  public String description() {
    return description;
  }

  /** Other names of the command. */
  public List<String> aliases() {
    return aliases;
  }

  /** The command of a name or alias. */
  public static Optional<BuiltInCommand> of(String name) {
    for (BuiltInCommand command : values()) {
      if (command.text.equals(name) || command.aliases.contains(name)) {
        return Optional.of(command);
      }
    }
    return Optional.empty();
  }

  /** Creates the command. */
  public Object create(Console console) {
    return switch (this) {
      case RUN -> new RunCommand(console);
      case CHECK -> new CheckCommand(console);
      case BENCH -> new BenchCommand(console);
      case PROFILE -> new ProfileCommand(console);
      case INSPECT -> new InspectCommand(console);
      case COMPILE -> new CompileCommand(console);
      case CONVERT -> new ConvertCommand(console);
      case RPC -> RpcCommand.of(console);
      case DOCTOR -> new DoctorCommand(console);
    };
  }
}
