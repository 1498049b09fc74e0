package org.relaxvm.backendcuda.driver;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Where libraries of the toolkit may be.
 *
 * @param windows whether libraries have names of Windows
 * @param environment variables, of which {@code CUDA_HOME} and {@code CUDA_PATH} count
 * @param usual folders of the toolkit where these say nothing
 */
public record Machine(boolean windows, Map<String, String> environment, List<Path> usual) {
  /** Copies the collections. */
  public Machine {
    environment = Map.copyOf(environment);
    usual = List.copyOf(usual);
  }

  /** The one that this program runs on. */
  public static Machine here() {
    boolean windows = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    List<Path> usual = windows ? List.of() : List.of(Path.of("/usr/local/cuda"));
    return new Machine(windows, System.getenv(), usual);
  }

  /** The folders with libraries, beside those that the loader of this machine looks into. */
  List<Path> folders() {
    String folder = windows ? "bin" : "lib64";
    return toolkits().stream().map(toolkit -> toolkit.resolve(folder)).toList();
  }

  /** The folders with headers that are there. */
  public List<Path> includes() {
    return toolkits().stream()
        .map(toolkit -> toolkit.resolve("include"))
        .flatMap(include -> Stream.of(include, include.resolve("cccl")))
        .filter(Files::isDirectory)
        .toList();
  }

  private List<Path> toolkits() {
    List<Path> toolkits = new ArrayList<>();
    for (String variable : List.of("CUDA_HOME", "CUDA_PATH")) {
      String value = environment.getOrDefault(variable, "");
      try {
        if (!value.isEmpty()) {
          toolkits.add(Path.of(value));
        }
      } catch (InvalidPathException _) {
        // No folder of that name can be there.
      }
    }
    toolkits.addAll(usual);
    return toolkits.stream().distinct().toList();
  }
}
