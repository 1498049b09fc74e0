package org.relaxvm.cli;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import org.relaxvm.api.discovery.ServiceLookup;
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

  /** Whether arguments are in files, which picocli reads: any command may be named there. */
  private final boolean readsFiles;

  private final CommandLine root = new CommandLine(new RelaxVmCommand());

  private Commands(Console console, List<String> args) {
    this.console = console;
    this.named = new HashSet<>(args);
    this.readsFiles = args.stream().anyMatch(argument -> argument.startsWith("@"));
  }

  static CommandLine of(Console console, List<String> args) {
    Commands commands = new Commands(console, args);
    commands.addBuiltIn();
    commands.root.addSubcommand(new CommandLine.HelpCommand());
    boolean isBuiltIn = !args.isEmpty() && BuiltInCommand.of(args.getFirst()).isPresent();
    if (!isBuiltIn) {
      commands.addProvided();
    }
    return commands.root;
  }

  private void addBuiltIn() {
    for (BuiltInCommand command : BuiltInCommand.values()) {
      boolean isNamed =
          isNamed(command.text()) || command.aliases().stream().anyMatch(this::isNamed);
      String[] aliases = command.aliases().toArray(String[]::new);
      if (isNamed) {
        root.addSubcommand(command.text(), command.create(console), aliases);
      } else {
        root.addSubcommand(command.text(), listed(command.description()), aliases);
      }
    }
  }

  private boolean isNamed(String command) {
    return readsFiles || named.contains(command);
  }

  /** A provider that fails is left out with a warning: it must not hide the other commands. */
  private void addProvided() {
    Map<String, CommandProvider> found = new LinkedHashMap<>();
    ServiceLookup<CommandProvider> lookup =
        ServiceLookup.of(ServiceLoader.load(CommandProvider.class));
    for (Throwable failure : lookup.failures()) {
      console
          .err()
          .println(
              "relaxvm: warning: a command provider is not used: "
                  + (failure instanceof ServiceConfigurationError
                      ? failure.getMessage()
                      : failure));
    }
    lookup.providers().forEach(provider -> addSound(provider, found));
  }

  private void addSound(
      ServiceLoader.Provider<CommandProvider> provider, Map<String, CommandProvider> found) {
    try {
      add(provider.get(), found);
    } catch (ServiceConfigurationError | RuntimeException | LinkageError e) {
      warn("the command provider " + provider.type().getName(), provider.type(), e);
    }
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
    if (isNamed(name)) {
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
