package org.relaxvm.cli.command;

import java.util.Map;
import picocli.CommandLine.Option;

/** Options of backends, for every command that opens devices. */
final class BackendSettings {
  @Option(
      names = "-O",
      paramLabel = "NAME=VALUE",
      description =
          "Set an option of a backend, such as cuda.cublas=off ('doctor' lists them); repeat for"
              + " several.")
  Map<String, String> values = Map.of();
}
