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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;

/** The compiler of NVIDIA's toolkit, where it is installed. Thread-safe. */
final class Nvcc implements CudaCompiler {
  private static final Pattern RELEASE = Pattern.compile("release (\\S+),");

  private final String version;

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
    return compile(name, source, "-cubin", target.cubin()).image();
  }

  /** What the compiler says of the registers and the memory that kernels need. */
  String registers(String name, String source, CudaTarget target) {
    return compile(name, source, "-cubin", target.cubin(), "-Xptxas", "-v").log();
  }

  /** Code for an architecture and all later ones, which the driver compiles. */
  String ptx(String name, String source, CudaTarget target) {
    byte[] ptx = compile(name, source, "-ptx", target.ptx()).image();
    return new String(ptx, StandardCharsets.UTF_8);
  }

  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  private record Result(byte[] image, String log) {}

  private static Result compile(
      String name, String source, String kind, String architecture, String... more) {
    try {
      Path folder = Files.createTempDirectory("relaxvm-nvcc-");
      Path program = Files.writeString(folder.resolve("program.cu"), source);
      Path image = folder.resolve("image");
      List<String> command = new ArrayList<>(List.of("nvcc", kind, "-arch=" + architecture));
      command.addAll(CudaTarget.OPTIONS);
      command.addAll(List.of(more));
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
