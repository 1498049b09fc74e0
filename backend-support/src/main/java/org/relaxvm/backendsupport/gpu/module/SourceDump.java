package org.relaxvm.backendsupport.gpu.module;

import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendsupport.gpu.ScheduledKernel;
import org.relaxvm.tir.text.KernelFolder;
import org.relaxvm.tir.text.TirText;

/** Writes what kernels become to files, where {@link #SETTING} names a folder. */
final class SourceDump {
  /** System property: the folder; nothing is written without it. */
  static final String SETTING = GpuModule.DUMP_SETTING;

  private SourceDump() {}

  /** Writes the launches of a kernel as loops, if a folder is asked for. */
  static void write(BackendOptions options, ScheduledKernel kernel) {
    KernelFolder.of(SETTING, options::property)
        .ifPresent(
            folder ->
                folder.write(
                    kernel.kernel().name(),
                    new KernelFolder.Text(".gpu.tir", TirText.print(kernel.asKernel()))));
  }

  /** Writes a program, if a folder is asked for. */
  static void write(BackendOptions options, String firstKernel, String suffix, String source) {
    KernelFolder.of(SETTING, options::property)
        .ifPresent(folder -> folder.write(firstKernel, new KernelFolder.Text(suffix, source)));
  }
}
