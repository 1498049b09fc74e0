package org.relaxvm.backendcuda.emulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcuda.kernels.CudaCompiler;
import org.relaxvm.backendcuda.kernels.CudaTarget;
import org.relaxvm.backendcuda.kernels.Prelude;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.cache.KernelKey;

/**
 * Makes a shared library of a program in CUDA C. Texts with instructions of a GPU are replaced by
 * what {@code emulation/} has under the same name. Thread-safe.
 */
public final class HostCompiler implements CudaCompiler {
  /** Programs run for moments, so that optimizing them takes more than it saves. */
  static final String LEVEL = "-O0";

  private static final Pattern KERNEL =
      Pattern.compile(
          "extern \"C\" __global__ void"
              + " __launch_bounds__\\((\\d+)(?:, \\d+)?\\)\\s+(\\w+)\\([^;{]*\\)\\s*\\{");

  private final Map<String, byte[]> made = new ConcurrentHashMap<>();
  private final KernelCache cache = CompilerCache.open("c++");
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable EmulationRuntime runtime;
  private @Nullable String compiler;

  /** Whether this machine has a C++ compiler. */
  public static boolean isHere() {
    return !CompilerRun.version().isEmpty();
  }

  @Override
  public String version() {
    return "emulation by " + CompilerRun.COMPILER;
  }

  @Override
  public byte[] compile(String name, String source, CudaTarget target) {
    return made.computeIfAbsent(source, text -> find(name, translated(text))).clone();
  }

  private byte[] find(String name, String translated) {
    KernelKey key =
        new KernelKey(
            EmulationRuntime.sources() + translated,
            System.getProperty("os.name") + " " + System.getProperty("os.arch"),
            compiler(),
            LEVEL + " " + CompilerRun.OPTIONS);
    return cache.get(key, () -> build(name, translated));
  }

  private byte[] build(String name, String translated) {
    try {
      EmulationRuntime shared = runtime();
      Path folder = Files.createTempDirectory("emulated-cuda");
      try {
        return build(name, translated, shared, folder);
      } finally {
        try (var files = Files.list(folder)) {
          for (Path file : files.toList()) {
            Files.delete(file);
          }
        }
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while compiling " + name, e);
    }
  }

  private static byte[] build(String name, String translated, EmulationRuntime shared, Path folder)
      throws IOException, InterruptedException {
    Files.writeString(folder.resolve("program.cpp"), translated);
    CompilerRun.run(
        name,
        folder,
        List.of(
            LEVEL,
            "-pipe",
            "-shared",
            "-I" + shared.folder(),
            "-o",
            "program.so",
            "program.cpp",
            shared.object().toString()));
    return Files.readAllBytes(folder.resolve("program.so"));
  }

  private String compiler() {
    lock.lock();
    try {
      if (compiler == null) {
        compiler = CompilerRun.version();
      }
      return compiler;
    } finally {
      lock.unlock();
    }
  }

  private EmulationRuntime runtime() throws IOException, InterruptedException {
    lock.lock();
    try {
      if (runtime == null) {
        runtime = EmulationRuntime.create();
      }
      return runtime;
    } finally {
      lock.unlock();
    }
  }

  private static String translated(String source) {
    String body = source;
    for (Prelude file : Prelude.files()) {
      if (isEmulated(file.name()) && body.contains(file.text())) {
        body = body.replace(file.text(), EmulationRuntime.resource(file.name()));
      }
    }
    StringBuilder text =
        new StringBuilder("#include \"" + EmulationRuntime.HEADER + "\"\n").append(body);
    for (Kernel kernel : kernels(body)) {
      text.append(
          """

          extern "C" void %1$s__launch(const void* arguments, const void* size) {
            emulation::launch(&%1$s, (const char*)arguments, *(const emulation::Size*)size, %2$s);
          }
          extern "C" int %1$s__threads() { return %3$d; }
          """
              .formatted(kernel.name(), kernel.meets(), kernel.threads()));
    }
    return text.toString();
  }

  private record Kernel(String name, int threads, boolean meets) {}

  private static List<Kernel> kernels(String source) {
    List<Kernel> found = new ArrayList<>();
    Matcher matcher = KERNEL.matcher(source);
    while (matcher.find()) {
      int next = source.indexOf("__global__", matcher.end());
      String body = source.substring(matcher.end(), next < 0 ? source.length() : next);
      // Functions that programs bring along may let threads meet, too.
      boolean meets =
          body.contains("__sync")
              || body.contains("__shfl")
              || body.contains("rv_mma")
              || body.contains("rv_cp_async")
              || body.contains("rv_ldmatrix")
              || body.contains("rv_reduce");
      found.add(new Kernel(matcher.group(2), Integer.parseInt(matcher.group(1)), meets));
    }
    return found;
  }

  private static boolean isEmulated(String name) {
    return HostCompiler.class.getResource(name) != null;
  }
}
