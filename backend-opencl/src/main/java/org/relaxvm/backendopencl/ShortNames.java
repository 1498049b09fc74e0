package org.relaxvm.backendopencl;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.backendsupport.gpu.codegen.ProgramSource;

/**
 * Shorter names for kernels of OpenCL C from other compilers, as macros before the source: PoCL
 * ends the process where a kernel has a name of more than 252 characters. Immutable.
 *
 * <p>Rationale: docs/rationale/backend-opencl.md, "Why are names of kernels bounded?"
 *
 * @param byName the kernels that are renamed
 */
record ShortNames(SequencedMap<String, String> byName) {
  /** Renames no kernel. */
  static final ShortNames NONE = new ShortNames(new LinkedHashMap<>());

  /** Names for the kernels of a source whose own names are too long. */
  static ShortNames of(List<KernelEntry> kernels, String source) {
    SequencedMap<String, String> byName = new LinkedHashMap<>();
    int number = 0;
    for (KernelEntry kernel : kernels) {
      String name = kernel.name();
      if (name.length() > ProgramSource.LONGEST_NAME) {
        String start = name.substring(0, ProgramSource.LONGEST_NAME) + "_";
        while (source.contains(start + number)) {
          number++;
        }
        byName.put(name, start + number++);
      }
    }
    return new ShortNames(byName);
  }

  /** The name of a kernel in the program. */
  String of(String kernel) {
    return byName.getOrDefault(kernel, kernel);
  }

  /** The source with the macros; lines keep their numbers. */
  String apply(String source) {
    if (byName.isEmpty()) {
      return source;
    }
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> name : byName.entrySet()) {
      text.append("#define ").append(name.getKey()).append(' ').append(name.getValue());
      text.append('\n');
    }
    return text.append("#line 1\n").append(source).toString();
  }
}
