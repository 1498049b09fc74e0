package org.relaxvm.backendcpu;

import java.util.List;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.backendcpu.codegen.KernelCompiler;
import org.relaxvm.backendcpu.constant.KeptConstants;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.backendcpu.vector.conv.ConvolutionKernel;

/** Offers the host CPU, which every machine has. Thread-safe. */
public final class CpuBackendProvider implements BackendProvider {
  /** Called by {@link java.util.ServiceLoader}. */
  public CpuBackendProvider() {}

  @Override
  public int spiVersion() {
    return SpiVersion.CURRENT;
  }

  @Override
  public String name() {
    return CpuBackend.NAME;
  }

  @Override
  public Probe probe() {
    return Probe.usable(
        System.getProperty("os.arch") + ", " + CpuFacts.cores(Runtime.getRuntime()));
  }

  @Override
  public boolean host() {
    return true;
  }

  /**
   * {@inheritDoc}
   *
   * <p>The width of vectors and the memory for constants are those of the process: compiled code
   * and kept constants are shared by all virtual machines.
   */
  @Override
  public List<BackendOption> options() {
    return List.of(
        BackendOption.choice(
                "vectors",
                List.of("auto", "off", "128", "256", "512"),
                VectorChoice.SETTING,
                "Chooses the bits of a vector, or portable Java.")
            .forProcess(),
        BackendOption.of(
                "keptConstants",
                "MiB",
                "a quarter of the largest heap",
                KeptConstants.SETTING,
                "Bounds what kernels keep of constants, such as packed weights.")
            .forProcess(),
        BackendOption.choice(
            "winograd",
            List.of("auto", "off"),
            ConvolutionKernel.WINOGRAD,
            "Allows convolutions by Winograd's transformation."),
        BackendOption.of(
            KernelCompiler.DUMP_OPTION,
            "a folder",
            "none",
            KernelCompiler.DUMP_SETTING,
            "Writes scheduled kernels and their instructions to files."));
  }

  @Override
  public Backend open(BackendOptions options) {
    return new CpuBackend(new CpuDevice(CpuFacts.read(), VectorChoice.get(), options));
  }
}
