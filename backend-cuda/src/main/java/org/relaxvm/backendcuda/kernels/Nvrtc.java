package org.relaxvm.backendcuda.kernels;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcuda.driver.Machine;
import org.relaxvm.backendcuda.driver.ToolkitLibrary;
import org.relaxvm.backendcuda.driver.ToolkitLibrary.UselessException;

/**
 * NVRTC, NVIDIA's compiler of CUDA C as a library: any version since CUDA 11.2 that is not newer
 * than the driver. Thread-safe.
 */
public final class Nvrtc implements CudaCompiler {
  /** System property: the file of the library, and no other. */
  public static final String SETTING = "relaxvm.cuda.nvrtc";

  private static final ToolkitLibrary LIBRARY =
      new ToolkitLibrary(
          List.of("libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "libnvrtc.so"),
          List.of("nvrtc64_130_0.dll", "nvrtc64_120_0.dll", "nvrtc64_112_0.dll"),
          SETTING);

  private final NvrtcCalls calls;
  private final String version;
  private final int[] architectures;
  private final List<Path> includes;

  private Nvrtc(NvrtcCalls calls, int[] version, List<Path> includes) {
    this.includes = includes;
    this.calls = calls;
    this.version = "NVRTC " + version[0] + "." + version[1];
    this.architectures = calls.architectures();
    Arrays.sort(architectures);
  }

  /**
   * What a search found.
   *
   * @param compiler the compiler, if there is one
   * @param file the name that its library was loaded by; empty when there is none
   * @param reason why there is none: several lines; empty when there is one
   * @param remedy what to do about it: a line that begins with {@code "\n what to do: "}; empty
   *     when there is one
   */
  public record Found(Optional<Nvrtc> compiler, String file, String reason, String remedy) {
    /** The reason, and what to do. */
    public String absence() {
      return reason + remedy;
    }

    /** The compiler, or what was compiled when this backend was built, if it was. */
    public Optional<CudaCompiler> orPrepared() {
      return compiler.isPresent()
          ? compiler.map(CudaCompiler.class::cast)
          : PreparedKernels.ofJar(reason, remedy).map(CudaCompiler.class::cast);
    }

    /** The reason, what is missing besides where nothing was prepared, and what to do. */
    public String absenceWith(Optional<CudaCompiler> prepared) {
      return reason.isEmpty() || prepared.isPresent()
          ? absence()
          : reason + PreparedKernels.NOT_IN_JAR + remedy;
    }
  }

  /**
   * Looks for the library, and loads it until the JVM ends.
   *
   * @param driverVersion the newest version of CUDA that the driver knows, such as 12060: it does
   *     not load what a compiler of a later major version makes
   */
  public static Found find(int driverVersion) {
    return find(Machine.here(), driverVersion);
  }

  /** As the other method; an option may name the file. */
  public static Found find(int driverVersion, BackendOptions options) {
    return find(Machine.here(), driverVersion, options);
  }

  static Found find(Machine machine, int driverVersion) {
    return find(machine, driverVersion, BackendOptions.none());
  }

  private static Found find(Machine machine, int driverVersion, BackendOptions options) {
    ToolkitLibrary.Found<Nvrtc> found =
        LIBRARY.find(machine, options, symbols -> bind(symbols, driverVersion, machine));
    if (found.library().isPresent()) {
      return new Found(found.library(), found.file(), "", "");
    }
    int major = driverVersion / 1000;
    return new Found(
        Optional.empty(),
        "",
        "NVRTC, the library that compiles CUDA C, was not found" + found.tried(),
        ("\n  what to do: install that of CUDA %1$d (a package like libnvrtc%1$d or"
                + " cuda-nvrtc-%1$d-%2$d), or name its file with -D%3$s=")
            .formatted(major, driverVersion % 1000 / 10, SETTING));
  }

  private static Nvrtc bind(SymbolLookup symbols, int driverVersion, Machine machine) {
    NvrtcCalls calls = new NvrtcCalls(symbols);
    int[] version = calls.version();
    if (version[0] > driverVersion / 1000) {
      throw new UselessException(
          "is of CUDA %d.%d, and the driver of CUDA %d.%d does not load what it makes"
              .formatted(version[0], version[1], driverVersion / 1000, driverVersion % 1000 / 10));
    }
    return new Nvrtc(calls, version, machine.includes());
  }

  @Override
  public String version() {
    return version;
  }

  /**
   * {@inheritDoc}
   *
   * <p>For an architecture that is newer than this version, that is PTX for the newest one that it
   * knows.
   */
  @Override
  public byte[] compile(String name, String source, CudaTarget target) {
    boolean known = Arrays.binarySearch(architectures, target.number()) >= 0;
    List<String> options = new ArrayList<>(CudaTarget.OPTIONS);
    options.add("--gpu-architecture=" + (known ? target.cubin() : newestBefore(name, target)));
    if (IncludedHeader.isAnyIncludedBy(source)) {
      includes.forEach(folder -> options.add("--include-path=" + folder));
    }
    MemorySegment program = calls.create(name + ".cu", source, IncludedHeader.neededBy(source));
    try {
      int status = calls.compile(program, options);
      if (status != NvrtcCalls.SUCCESS) {
        String log = status == NvrtcCalls.REFUSED ? calls.log(program) : "";
        throw new CompileException(version + ": " + calls.nameOf(status), log);
      }
      return known ? calls.cubin(program) : calls.ptx(program);
    } finally {
      calls.destroy(program);
    }
  }

  private String newestBefore(String name, CudaTarget target) {
    return Arrays.stream(architectures)
        .filter(architecture -> architecture < target.number())
        .mapToObj(architecture -> "compute_" + architecture)
        .reduce((first, second) -> second)
        .orElseThrow(
            () ->
                new CompileException(
                    version
                        + " cannot compile "
                        + name
                        + " for "
                        + target.cubin()
                        + ": it knows "
                        + Arrays.stream(architectures)
                            .mapToObj(architecture -> "sm_" + architecture)
                            .collect(Collectors.joining(", ")),
                    ""));
  }
}
