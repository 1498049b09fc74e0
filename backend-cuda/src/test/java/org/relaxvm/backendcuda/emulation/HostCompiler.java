package org.relaxvm.backendcuda.emulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.relaxvm.backendcuda.kernels.CompileException;
import org.relaxvm.backendcuda.kernels.CudaCompiler;
import org.relaxvm.backendcuda.kernels.CudaTarget;
import org.relaxvm.backendcuda.kernels.Prelude;

/**
 * Makes a shared library of a program in CUDA C. Texts with instructions of a GPU are replaced by
 * what {@code emulation/} has under the same name. Thread-safe.
 */
public final class HostCompiler implements CudaCompiler {
  private static final String COMPILER = "c++";
  private static final Pattern KERNEL =
      Pattern.compile(
          "extern \"C\" __global__ void"
              + " __launch_bounds__\\((\\d+)(?:, \\d+)?\\)\\s+(\\w+)\\([^;{]*\\)\\s*\\{");

  private final Map<String, byte[]> made = new ConcurrentHashMap<>();

  /** Whether this machine has a C++ compiler. */
  public static boolean isHere() {
    try {
      return new ProcessBuilder(COMPILER, "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException _) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public String version() {
    return "emulation by " + COMPILER;
  }

  @Override
  public byte[] compile(String name, String source, CudaTarget target) {
    return made.computeIfAbsent(source, text -> build(name, text)).clone();
  }

  private static byte[] build(String name, String source) {
    try {
      Path folder = Files.createTempDirectory("emulated-cuda");
      try {
        return build(name, source, folder);
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

  private static byte[] build(String name, String source, Path folder)
      throws IOException, InterruptedException {
    Files.writeString(folder.resolve("emulation.h"), resource("emulation.h"));
    // Programs of other compilers include it, and need nothing of it.
    Files.writeString(folder.resolve("cuda.h"), "");
    Files.writeString(folder.resolve("program.cpp"), translated(source));
    Path log = folder.resolve("log");
    int status =
        new ProcessBuilder(
                COMPILER,
                "-x",
                "c++",
                "-std=c++17",
                "-O0",
                "-w",
                "-fPIC",
                "-shared",
                "-ffp-contract=off",
                "-fno-strict-aliasing",
                "-fwrapv",
                "-I.",
                "-o",
                "program.so",
                "program.cpp")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start()
            .waitFor();
    if (status != 0) {
      throw new CompileException(
          COMPILER + " refuses " + name + " with status " + status, Files.readString(log));
    }
    return Files.readAllBytes(folder.resolve("program.so"));
  }

  private static String translated(String source) {
    String body = source;
    for (Prelude file : Prelude.files()) {
      if (isEmulated(file.name()) && body.contains(file.text())) {
        body = body.replace(file.text(), resource(file.name()));
      }
    }
    StringBuilder text = new StringBuilder("#include \"emulation.h\"\n").append(body);
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

  private static String resource(String name) {
    try (var in = HostCompiler.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("there is no emulation of " + name);
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
