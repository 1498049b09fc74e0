package org.relaxvm.backendcpu;

import java.util.Optional;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.backendcpu.codegen.KernelCompiler;
import org.relaxvm.backendcpu.library.FormulaLibrary;
import org.relaxvm.backendcpu.vector.VectorChoice;

/** The CPU with a compiler of a test for kernels, or library functions of a test. */
record CompilingCpu(Optional<KernelCompiler> compiler, Optional<FormulaLibrary> formulas)
    implements BackendProvider {
  CompilingCpu(KernelCompiler compiler) {
    this(Optional.of(compiler), Optional.empty());
  }

  CompilingCpu(FormulaLibrary formulas) {
    this(Optional.empty(), Optional.of(formulas));
  }

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return CpuBackend.NAME;
  }

  @Override
  public boolean host() {
    return true;
  }

  @Override
  public Probe probe() {
    return Probe.usable("with a compiler of a test");
  }

  @Override
  public Backend open(BackendOptions options) {
    return new CpuBackend(
        new CpuDevice(CpuFacts.read(), VectorChoice.get(), options, compiler, formulas));
  }
}
