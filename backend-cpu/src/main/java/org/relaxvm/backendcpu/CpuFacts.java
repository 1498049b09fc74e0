package org.relaxvm.backendcpu;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is known of the CPU.
 *
 * @param model for people; the architecture where the system does not tell
 * @param cores that this process may use
 * @param memoryBytes of the machine; 0 when unknown
 * @param vectors vector extensions, widest first; empty when unknown
 */
record CpuFacts(String model, int cores, long memoryBytes, List<String> vectors) {
  private static final List<String> EXTENSIONS =
      List.of("avx512f", "avx2", "avx", "sse4_2", "sve2", "sve", "asimd");

  static CpuFacts read() {
    return of(
        lines(Path.of("/proc/cpuinfo")),
        lines(Path.of("/proc/meminfo")),
        System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors());
  }

  static CpuFacts of(List<String> cpuInfo, List<String> memInfo, String arch, int cores) {
    String flags = value(cpuInfo, "flags", value(cpuInfo, "Features", ""));
    Set<String> present = Set.copyOf(Arrays.asList(flags.split(" +")));
    List<String> vectors = EXTENSIONS.stream().filter(present::contains).toList();
    String memory = value(memInfo, "MemTotal", "0 kB");
    long bytes = memory.matches("[0-9]{1,15} kB") ? kibibytes(memory) * 1024 : 0;
    return new CpuFacts(value(cpuInfo, "model name", arch), cores, bytes, vectors);
  }

  static String cores(Runtime runtime) {
    return cores(runtime.availableProcessors());
  }

  String title() {
    return model + ", " + cores(cores);
  }

  Map<String, String> details() {
    Map<String, String> details = new LinkedHashMap<>();
    details.put("cores", Integer.toString(cores));
    details.put("vector extensions", vectors.isEmpty() ? "unknown" : String.join(", ", vectors));
    return details;
  }

  private static String cores(int count) {
    return count == 1 ? "1 core" : count + " cores";
  }

  private static long kibibytes(String text) {
    return Long.parseLong(text.substring(0, text.indexOf(' ')));
  }

  private static String value(List<String> lines, String key, String otherwise) {
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon > 0 && line.substring(0, colon).strip().equals(key)) {
        return line.substring(colon + 1).strip();
      }
    }
    return otherwise;
  }

  private static List<String> lines(Path file) {
    try {
      return Files.isReadable(file) ? Files.readAllLines(file) : List.of();
    } catch (IOException e) {
      // These files only add to what people read; a system without them is not broken.
      return List.of();
    }
  }
}
