package org.relaxvm.backendcuda.kernels;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.relaxvm.backendcuda.emulation.CompilerCache;
import org.relaxvm.backendsupport.cache.KernelCache;
import org.relaxvm.backendsupport.cache.KernelKey;

/** The compiler of NVIDIA's toolkit, where it is installed. Thread-safe. */
final class Nvcc implements CudaCompiler {
  private static final Pattern RELEASE = Pattern.compile("release \\S+, V(\\S+)");

  private final String version;
  private final KernelCache cache = CompilerCache.open("nvcc");

  private Nvcc(String version) {
    this.version = version;
  }

  /** The one on {@code PATH}. */
  static Optional<Nvcc> installed() {
    try {
      Matcher release = RELEASE.matcher(run(List.of("nvcc", "--version")));
      return release.find() ? Optional.of(new Nvcc("nvcc " + release.group(1))) : Optional.empty();
    } catch (UncheckedIOException notThere) {
      return Optional.empty();
    }
  }

  /** The same; without it the test is skipped, and says so. */
  static Nvcc needed(String test) {
    Optional<Nvcc> nvcc = installed();
    String required = System.getenv().getOrDefault("RELAXVM_REQUIRE_DEVICES", "");
    if (nvcc.isEmpty() && Arrays.asList(required.split("\\s*,\\s*")).contains("nvcc")) {
      throw new AssertionError("no nvcc on PATH, but RELAXVM_REQUIRE_DEVICES has it");
    }
    System.out.println(
        test + nvcc.map(found -> ": compiles with " + found.version()).orElse(NOT_THERE));
    Assumptions.assumeTrue(nvcc.isPresent(), "no nvcc on PATH");
    return nvcc.orElseThrow();
  }

  private static final String NOT_THERE =
      " skipped: no nvcc on PATH; install NVIDIA's CUDA toolkit, or its package cuda-nvcc";

  @Override
  public String version() {
    return version;
  }

  @Override
  public byte[] compile(String name, String source, CudaTarget target) {
    return kept(source, List.of("-cubin", "-arch=" + target.cubin()), name, Result::image);
  }

  /** What the compiler says of the registers and the memory that kernels need. */
  String registers(String name, String source, CudaTarget target) {
    List<String> options = List.of("-cubin", "-arch=" + target.cubin(), "-Xptxas", "-v");
    return new String(
        kept(source, options, name, result -> result.log().getBytes(StandardCharsets.UTF_8)),
        StandardCharsets.UTF_8);
  }

  /** Code for an architecture and all later ones, which the driver compiles. */
  String ptx(String name, String source, CudaTarget target) {
    List<String> options = List.of("-ptx", "-arch=" + target.ptx());
    return new String(kept(source, options, name, Result::image), StandardCharsets.UTF_8);
  }

  /** What the compiler gives, in this build or in an earlier one. */
  private byte[] kept(
      String source, List<String> options, String name, Function<Result, byte[]> part) {
    KernelKey key = new KernelKey(source, "nvcc", version, options + " " + CudaTarget.OPTIONS);
    return cache.get(key, () -> part.apply(run(name, source, options)));
  }

  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Result(byte[] image, String log) {}

  private static Result run(String name, String source, List<String> options) {
    try {
      Path folder = Files.createTempDirectory("relaxvm-nvcc-");
      Path program = Files.writeString(folder.resolve("program.cu"), source);
      Path image = folder.resolve("image");
      List<String> command = new ArrayList<>(List.of("nvcc"));
      command.addAll(options);
      command.addAll(CudaTarget.OPTIONS);
      command.addAll(List.of("-o", image.toString(), program.toString()));
      try {
        String log = run(command);
        if (!Files.exists(image)) {
          throw new CompileException("nvcc refuses " + name, log);
        }
        return new Result(Files.readAllBytes(image), log);
      } finally {
        Files.deleteIfExists(program);
        Files.deleteIfExists(image);
        Files.delete(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a command printed. */
  private static String run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.onExit().join();
      return log;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
