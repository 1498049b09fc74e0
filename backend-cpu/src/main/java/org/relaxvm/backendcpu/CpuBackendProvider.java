package org.relaxvm.backendcpu;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.BackendOption;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.BackendProvider;
import org.relaxvm.api.spi.Probe;
import org.relaxvm.api.spi.SpiVersion;
import org.relaxvm.api.system.LargeBlocks;
import org.relaxvm.api.system.ThreadAffinity;
import org.relaxvm.backendcpu.codegen.KernelCompiler;
import org.relaxvm.backendcpu.constant.KeptConstants;
import org.relaxvm.backendcpu.jit.CodeOptions;
import org.relaxvm.backendcpu.library.FormulaLibrary;
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
   * <p>Machine code is shared by the virtual machines whose options for it are those of the
   * process. The width of vectors, the memory for constants, huge pages and pinned threads are
   * those of the process: compiled code, kept constants, host memory and workers are shared by all
   * virtual machines.
   */
  @Override
  public List<BackendOption> options() {
    List<BackendOption> options = new ArrayList<>(CodeOptions.declared());
    options.addAll(
        List.of(
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
                    "hugePages",
                    List.of("auto", "off"),
                    LargeBlocks.SETTING,
                    "Puts large blocks of memory on huge pages, on Linux.")
                .forProcess(),
            BackendOption.choice(
                    "pin",
                    List.of("false", "true"),
                    ThreadAffinity.SETTING,
                    "Pins each worker thread to a processor, on Linux.")
                .forProcess(),
            BackendOption.choice(
                "winograd",
                List.of("auto", "off"),
                ConvolutionKernel.WINOGRAD,
                "Allows convolutions by Winograd's transformation."),
            FormulaLibrary.declared(),
            BackendOption.of(
                KernelCompiler.DUMP_OPTION,
                "a folder",
                "none",
                KernelCompiler.DUMP_SETTING,
                "Writes scheduled kernels and their instructions to files.")));
    return List.copyOf(options);
  }

  @Override
  public Backend open(BackendOptions options) {
    check(options, LargeBlocks.SETTING, "auto", "off");
    check(options, ThreadAffinity.SETTING, "false", "true");
    return new CpuBackend(new CpuDevice(CpuFacts.read(), VectorChoice.get(), options));
  }

  private static void check(BackendOptions options, String setting, String first, String second) {
    String value = options.property(setting);
    if (value != null && !value.isEmpty() && !value.equals(first) && !value.equals(second)) {
      throw new BackendException(
          ErrorKind.VALUE,
          "%s must be %s or %s, but is '%s'"
              .formatted(options.origin(setting), first, second, value));
    }
  }
}
