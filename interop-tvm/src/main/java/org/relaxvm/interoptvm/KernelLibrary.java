package org.relaxvm.interoptvm;

import java.nio.file.Path;
import java.util.List;
import org.relaxvm.interoptvm.load.FileIdentity;
import org.relaxvm.vmcore.program.HostCode;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.LoadOptions;

/**
 * The kernels of a native library, for a program whose bytecode is in another file.
 *
 * <p>Immutable and thread-safe. The file must not be truncated or rewritten in place while the
 * kernels are used.
 *
 * @param hostCode the machine code for the host; nothing is loaded before a virtual machine links
 *     it
 * @param modules the kernels for devices that the library contains, in the order in which names are
 *     searched
 */
public record KernelLibrary(HostCode hostCode, List<KernelModule> modules) {
  /** Copies the list. */
  public KernelLibrary {
    modules = List.copyOf(modules);
  }

  /**
   * Reads a library without loading it. Its functions follow the calling convention of Apache TVM
   * 0.20 and older, unless it contains modules that a newer release exported.
   *
   * <p>Source: docs/spec/relay-register-vm.md, section 15.6.
   *
   * @param options whether its code may be loaded later
   * @throws org.relaxvm.api.error.MalformedFileException if the file is missing or damaged
   * @throws org.relaxvm.api.error.InvalidProgramException if the library contains a program itself
   */
  public static KernelLibrary read(Path path, LoadOptions options) {
    FileIdentity identity = FileIdentity.of(path);
    ExportedLibrary library =
        ExportedLibrary.readKernels(path, identity, TvmLibraryReader.map(path), options);
    library.requireNoProgram();
    return new KernelLibrary(library.code(), library.kernels());
  }
}
