package org.relaxvm.interoptvm.spi;

import java.lang.foreign.MemorySegment;
import org.relaxvm.vmcore.program.LoadOptions;

/**
 * Reads the root module of an exported library if that module is no Relax executable. The library
 * itself, its other modules and its machine code are read and run by this module.
 *
 * <p>Found by {@link java.util.ServiceLoader}: list the class in {@code
 * META-INF/services/org.relaxvm.interoptvm.spi.RootModuleReader} and, for the module path, in
 * {@code module-info}. Constructing a reader and asking for its kind is cheap and never throws.
 *
 * <p>Thread-safe.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 15.5.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why is a root module handed to another module?"
 */
public interface RootModuleReader {
  /** The kind of the root modules that it reads, such as {@code VMExecutable}. */
  String kind();

  /**
   * Reads a module. Nothing is loaded, and the library's code is not run.
   *
   * @param content the module's one string, without its length: a read-only view of the library's
   *     file, not aligned, valid as long as the program
   * @param options the options that the library is read with
   * @throws org.relaxvm.api.error.MalformedFileException if the content breaks its format
   * @throws org.relaxvm.api.error.InvalidProgramException if it is no valid program
   */
  RootProgram read(MemorySegment content, LoadOptions options);
}
