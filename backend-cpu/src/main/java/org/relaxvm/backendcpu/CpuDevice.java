package org.relaxvm.backendcpu;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.system.LargeBlocks;
import org.relaxvm.backendcpu.codegen.KernelCompiler;
import org.relaxvm.backendcpu.jit.CodeOptions;
import org.relaxvm.backendcpu.library.FormulaLibrary;
import org.relaxvm.backendcpu.vector.ProcessMemory;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.tir.abi.KernelText;

/** The host CPU: host memory with kernels. Thread-safe. */
final class CpuDevice extends HostDevice implements ModuleLoader {
  private final CpuFacts facts;
  private final VectorChoice vectors;
  private final CodeOptions code;
  private final Module library;
  private final TirKernels kernels;

  CpuDevice(CpuFacts facts, VectorChoice vectors) {
    this(facts, vectors, BackendOptions.none());
  }

  CpuDevice(CpuFacts facts, VectorChoice vectors, BackendOptions options) {
    this(
        facts,
        vectors,
        options,
        Optional.empty(),
        FormulaLibrary.of(vectors, CodeOptions.of(options), options));
  }

  /**
   * As the other constructors.
   *
   * @param compiler of kernels; empty for the one that options ask for
   * @param formulas which library functions are machine code
   */
  CpuDevice(
      CpuFacts facts,
      VectorChoice vectors,
      BackendOptions options,
      Optional<KernelCompiler> compiler,
      Optional<FormulaLibrary> formulas) {
    this.facts = facts;
    this.vectors = vectors;
    code = CodeOptions.of(options);
    library = CpuLibrary.create(vectors, options, formulas);
    kernels =
        compiler
            .map(own -> new TirKernels(library, own))
            .orElseGet(() -> new TirKernels(library, vectors, code, options));
  }

  @Override
  public DeviceProperties properties() {
    Map<String, String> details = new LinkedHashMap<>(facts.details());
    details.put("kernels", vectors.toString());
    details.put("machine code", code.describe());
    details.put("generated code", ProcessMemory.describe());
    details.put("large blocks", LargeBlocks.ofProcess().describe());
    return new DeviceProperties(
        facts.title(), facts.memoryBytes(), ALIGNMENT, Long.MAX_VALUE, details);
  }

  @Override
  public Module library() {
    return library;
  }

  @Override
  public Set<String> formats() {
    return Set.of(KernelText.FORMAT);
  }

  @Override
  public Module loadModule(ModuleImage image) {
    if (!image.format().equals(KernelText.FORMAT)) {
      throw new BackendException(
          ErrorKind.VALUE,
          "cpu:0 takes kernels of the format " + KernelText.FORMAT + ", but got " + image.format());
    }
    return kernels.load(image);
  }
}
