package org.relaxvm.backendcuda.kernels;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.relaxvm.backendsupport.gpu.GpuLimits;

/**
 * Stands in for a compiler where there is none: gives PTX that was compiled when this backend was
 * built by the Maven profile {@code prepared-kernels}, which every driver of CUDA 12 and every
 * device since compute capability 7.5 takes.
 *
 * <p>There are programs of the kernel library for float32 and float16, with indices of 32 bits:
 * elementwise functions, casts between these, sums, means and extremes, GEMMs with and without bias
 * and activation, softmax, normalizations, pooling, embeddings, transpositions and concatenation,
 * in the shapes that networks mostly have. Convolutions and attention are not among them, since
 * their kernels depend on channels and heads; nor are kernels of compiled programs.
 *
 * <p>They are known by their source, to the letter. So kernels have to be scheduled for {@link
 * #LIMITS}, and those of the library for all extents.
 *
 * <p>Thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-cuda.md, "How are precompiled kernels found?"
 */
public final class PreparedKernels implements CudaCompiler {
  /** What the programs are scheduled for: what every device has. */
  public static final GpuLimits LIMITS = new GpuLimits(1024, 48 << 10, 32, 16, 64);

  /** What they are compiled for. */
  static final CudaTarget TARGET = new CudaTarget(7, 5);

  /** The resource: text of PTX, each program after a line of {@link #MARK} and its name. */
  static final String RESOURCE = "prepared.ptx.gz";

  /** What the line in front of a program begins with. */
  static final String MARK = "// program ";

  /** What to say where the jar has no programs: a line for messages. */
  static final String NOT_IN_JAR =
      "\n"
          + "  without it: no kernel runs, since this build of backend-cuda has no prepared kernels"
          + " (its Maven profile prepared-kernels compiles them with nvcc)";

  private final Map<String, String> programs;
  private final String reason;
  private final String remedy;

  /**
   * Programs for a machine without a compiler.
   *
   * @param programs PTX by the names that {@link #keyOf} gives
   * @param reason why there is no compiler: lines for messages
   * @param remedy what to do about it: likewise
   */
  PreparedKernels(Map<String, String> programs, String reason, String remedy) {
    this.programs = programs;
    this.reason = reason;
    this.remedy = remedy;
  }

  /** The programs that this build contains; empty for a build without nvcc. */
  static Optional<PreparedKernels> ofJar(String reason, String remedy) {
    return Loaded.PROGRAMS.isEmpty()
        ? Optional.empty()
        : Optional.of(new PreparedKernels(Loaded.PROGRAMS, reason, remedy));
  }

  @Override
  public String version() {
    return "prepared PTX";
  }

  @Override
  public Optional<GpuLimits> preparedFor() {
    return Optional.of(LIMITS);
  }

  /**
   * {@inheritDoc}
   *
   * @return PTX with a 0 at its end
   * @throws NoCompilerException for a program that is not among the prepared ones
   */
  @Override
  public byte[] compile(String name, String source, CudaTarget target) {
    String ptx = programs.get(keyOf(source));
    if (ptx == null) {
      throw new NoCompilerException(
          reason
              + "\n  without it: functions of the kernel library work in their usual forms for"
              + " float32 and float16, and this program is none of them"
              + remedy);
    }
    return (ptx + '\0').getBytes(StandardCharsets.US_ASCII);
  }

  /** The name of a program: a part of the SHA-256 of its source. */
  static String keyOf(String source) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(source.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Takes the programs out of the text of the resource.
   *
   * @return PTX by the names that {@link #keyOf} gives
   */
  static Map<String, String> parse(InputStream compressed) throws IOException {
    String text;
    try (InputStream in = new GZIPInputStream(compressed)) {
      text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
    Map<String, String> programs = new HashMap<>();
    int at = 0;
    while (at < text.length()) {
      int start = text.indexOf('\n', at) + 1;
      int next = text.indexOf(MARK, start);
      int end = next < 0 ? text.length() : next;
      programs.put(text.substring(at + MARK.length(), start - 1), text.substring(start, end));
      at = end;
    }
    return programs;
  }

  private static final class Loaded {
    static final Map<String, String> PROGRAMS = load();

    private static Map<String, String> load() {
      try (InputStream in = PreparedKernels.class.getResourceAsStream(RESOURCE)) {
        return in == null ? Map.of() : parse(in);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read the resource " + RESOURCE, e);
      }
    }
  }
}
