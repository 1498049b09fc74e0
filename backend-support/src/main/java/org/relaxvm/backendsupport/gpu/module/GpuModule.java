package org.relaxvm.backendsupport.gpu.module;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.backendsupport.gpu.ScheduledKernel;
import org.relaxvm.backendsupport.gpu.codegen.KernelSource;
import org.relaxvm.backendsupport.gpu.codegen.LaunchSource;
import org.relaxvm.backendsupport.gpu.codegen.ProgramSource;
import org.relaxvm.backendsupport.gpu.rules.GpuSchedule;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.abi.KernelText;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Kernels of the kernel IR on a device. They are checked when the module is loaded. All of them are
 * built as one program when the first one is prepared or called; those that need indices of 64 bits
 * at a call get a program of their own then. Thread-safe.
 */
public final class GpuModule implements Module {
  /** System property: the folder that kernels are written to; nothing is written without it. */
  public static final String DUMP_SETTING = "relaxvm.gpu.dumpKernels";

  private final GpuDriver driver;
  private final String origin;
  private final Map<String, GpuFunction> functions = new LinkedHashMap<>();
  private final Map<String, String> lacking = new HashMap<>();
  private final List<GpuProgram> programs = new ArrayList<>();
  private @Nullable Built built;
  private boolean closed;

  /** The program of all kernels, and each kernel's part of it. */
  private record Built(GpuProgram program, Map<String, List<LaunchSource>> launches) {}

  private GpuModule(GpuDriver driver) {
    this.driver = driver;
    this.origin = origin(driver);
  }

  /**
   * Loads an image of the format {@value KernelText#FORMAT}.
   *
   * <p>Kernels that cannot run on a device are not in the module, which {@linkplain #lacks says}
   * why.
   *
   * @throws org.relaxvm.api.error.RelaxException when the text cannot be read, or a kernel breaks a
   *     rule of the kernel IR
   */
  public static GpuModule load(GpuDriver driver, ModuleImage image) {
    return of(driver, KernelText.parse(image, origin(driver)));
  }

  /**
   * The module of some kernels, which keep the rules of the kernel IR. Those that cannot run on a
   * device are not in it, which {@linkplain #lacks says} why.
   */
  public static GpuModule of(GpuDriver driver, List<PrimFunc> kernels) {
    GpuModule module = new GpuModule(driver);
    for (PrimFunc kernel : kernels) {
      try {
        KernelAnalysis analysis = KernelAnalysis.of(kernel);
        ScheduledKernel scheduled = GpuSchedule.of(analysis, driver.limits());
        SourceDump.write(driver.options(), scheduled);
        module.functions.put(kernel.name(), new GpuFunction(module, analysis, scheduled));
      } catch (InvalidProgramException e) {
        module.lacking.put(kernel.name(), e.summary());
      }
    }
    return module;
  }

  private static String origin(GpuDriver driver) {
    return "kernels of the program on " + driver.device();
  }

  GpuDriver driver() {
    return driver;
  }

  /** The launches of a kernel with indices of 32 bits, in the program of all. */
  synchronized Code code(String kernel) {
    requireOpen(kernel);
    Built all = built;
    if (all == null) {
      ProgramSource source = new ProgramSource(driver.dialect(false));
      Map<String, List<LaunchSource>> launches = new LinkedHashMap<>();
      functions.forEach(
          (name, function) -> {
            if (!function.isAlwaysWide()) {
              launches.put(name, add(source, name, function.sources(), false));
            }
          });
      all = new Built(build(nameOfAll(launches.keySet()), source), launches);
      built = all;
    }
    return new Code(all.program(), all.launches().getOrDefault(kernel, List.of()));
  }

  /** The first kernel, and how many there are besides. */
  private static String nameOfAll(Set<String> kernels) {
    String first = kernels.iterator().next();
    return kernels.size() == 1 ? first : first + " and " + (kernels.size() - 1) + " more";
  }

  /** The launches of a kernel with indices of 64 bits, in a program of its own. */
  synchronized Code wideCode(String kernel, List<KernelSource> sources) {
    requireOpen(kernel);
    ProgramSource source = new ProgramSource(driver.dialect(true));
    List<LaunchSource> launches = add(source, kernel, sources, true);
    return new Code(build(kernel, source), launches);
  }

  private void requireOpen(String kernel) {
    if (closed) {
      throw new BackendException(
          ErrorKind.VALUE,
          "the module of kernel " + kernel + " on " + driver.device() + " is closed");
    }
  }

  private static List<LaunchSource> add(
      ProgramSource source, String kernel, List<KernelSource> launches, boolean wide) {
    List<LaunchSource> added = new ArrayList<>();
    for (KernelSource launch : launches) {
      added.add(source.add(kernel, launch, wide));
    }
    return added;
  }

  private GpuProgram build(String name, ProgramSource source) {
    String text = source.text();
    SourceDump.write(driver.options(), name, driver.dialect(false).fileSuffix(), text);
    GpuProgram program = driver.build(name, text);
    programs.add(program);
    return program;
  }

  /** Launches that can be enqueued. */
  record Code(GpuProgram program, List<LaunchSource> launches) {}

  static List<KernelSource> sources(List<Stmt> launches) {
    return launches.stream().map(KernelSource::of).toList();
  }

  @Override
  public String origin() {
    return origin;
  }

  @Override
  public String originOf(String function) {
    GpuFunction found = functions.get(function);
    return found == null ? origin : origin + found.provider();
  }

  @Override
  public Set<String> functionNames() {
    return Set.copyOf(functions.keySet());
  }

  @Override
  public Optional<PackedFunc> find(String name) {
    return Optional.ofNullable(functions.get(name));
  }

  @Override
  public CallEffects effectsOf(String function) {
    GpuFunction found = functions.get(function);
    return found == null ? CallEffects.UNKNOWN : found.effects();
  }

  @Override
  public Optional<String> lacks(String name) {
    return Optional.ofNullable(lacking.get(name));
  }

  @Override
  public synchronized void close() {
    closed = true;
    programs.forEach(GpuProgram::close);
    programs.clear();
  }
}
