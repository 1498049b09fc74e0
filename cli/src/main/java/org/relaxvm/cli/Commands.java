package org.relaxvm.cli;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.relaxvm.cli.command.BuiltInCommand;
import org.relaxvm.cli.command.RelaxVmCommand;
import org.relaxvm.cli.output.CodeOrigin;
import org.relaxvm.cli.output.Console;
import org.relaxvm.cli.spi.CommandProvider;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Makes the command line of the process. Only commands that the arguments name are created; of the
 * others the list of commands has the name and the description. Jars are searched for further
 * commands only if no built-in command is named first.
 *
 * <p>Rationale: docs/rationale/cli.md, "Why are commands created only when they are named?"
 */
final class Commands {
  private final Console console;
  private final Set<String> named;
  private final CommandLine root = new CommandLine(new RelaxVmCommand());

  private Commands(Console console, List<String> args) {
    this.console = console;
    this.named = new HashSet<>(args);
  }

  static CommandLine of(Console console, List<String> args) {
    Commands commands = new Commands(console, args);
    commands.addBuiltIn();
    boolean isBuiltIn = !args.isEmpty() && BuiltInCommand.of(args.getFirst()).isPresent();
    if (!isBuiltIn) {
      commands.addProvided();
    }
    commands.root.addSubcommand(new CommandLine.HelpCommand());
    return commands.root;
  }

  private void addBuiltIn() {
    for (BuiltInCommand command : BuiltInCommand.values()) {
      boolean isNamed =
          named.contains(command.text()) || command.aliases().stream().anyMatch(named::contains);
      String[] aliases = command.aliases().toArray(String[]::new);
      if (isNamed) {
        root.addSubcommand(command.text(), command.create(console), aliases);
      } else {
        root.addSubcommand(command.text(), listed(command.description()), aliases);
      }
    }
  }

  private void addProvided() {
    Map<String, CommandProvider> found = new LinkedHashMap<>();
    ServiceLoader.load(CommandProvider.class).stream()
        .forEach(
            provider -> {
              try {
                add(provider.get(), found);
              } catch (ServiceConfigurationError e) {
                warn("the command provider " + provider.type().getName(), provider.type(), e);
              }
            });
  }

  private void add(CommandProvider provider, Map<String, CommandProvider> found) {
    String name = provider.name();
    if (root.getSubcommands().containsKey(name)) {
      CommandProvider other = found.get(name);
      String owner = other == null ? "RelaxVM" : CodeOrigin.of(other.getClass());
      warn(
          "command '" + name + "'",
          provider.getClass(),
          new IllegalStateException(owner + " has a command of that name"));
      return;
    }
    found.put(name, provider);
    if (named.contains(name)) {
      root.addSubcommand(name, provider.command(console));
    } else {
      root.addSubcommand(name, listed(provider.description()));
    }
  }

  private static CommandSpec listed(String description) {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage().description(description);
    return spec;
  }

  private void warn(String what, Class<?> provider, Throwable reason) {
    console
        .err()
        .println(
            "relaxvm: warning: "
                + what
                + " of "
                + CodeOrigin.of(provider)
                + " is not used: "
                + reason.getMessage());
  }
}
