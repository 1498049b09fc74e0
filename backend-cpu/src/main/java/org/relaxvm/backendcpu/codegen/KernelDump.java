package org.relaxvm.backendcpu.codegen;

import java.util.List;
import java.util.function.Function;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.KernelFolder;
import org.relaxvm.tir.text.TirText;

/** Writes what kernels become to files, where {@link #SETTING} names a folder. */
final class KernelDump {
  /** System property: the folder; nothing is written without it. */
  static final String SETTING = "relaxvm.cpu.dumpKernels";

  private KernelDump() {}

  /**
   * Writes the kernel as it is scheduled, and the instructions of its class, if a folder is asked
   * for.
   */
  static void write(BackendOptions options, PrimFunc function, byte[] bytes) {
    KernelFolder.of(SETTING, options::property)
        .ifPresent(
            folder ->
                folder.write(
                    function.name(),
                    new KernelFolder.Text(".tir", TirText.print(function)),
                    new KernelFolder.Text(".txt", Listing.of(bytes))));
  }

  /**
   * Writes the kernel as it is scheduled, the low-level IR of its parts and their instructions, if
   * a folder is asked for.
   */
  static void write(
      BackendOptions options,
      PrimFunc function,
      List<LirFunction> parts,
      Function<LirFunction, String> listing) {
    KernelFolder.of(SETTING, options::property)
        .ifPresent(
            folder -> {
              StringBuilder text = new StringBuilder(TirText.print(function));
              for (LirFunction part : parts) {
                text.append('\n').append(part).append('\n').append(listing.apply(part));
              }
              folder.write(function.name(), new KernelFolder.Text(".machine.txt", text.toString()));
            });
  }
}
