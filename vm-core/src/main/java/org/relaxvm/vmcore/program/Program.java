package org.relaxvm.vmcore.program;

import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import org.relaxvm.api.TypeKey;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;
import org.relaxvm.vmcore.verify.Verifier;

/**
 * A program that can be linked and run: an executable that passed the verifier, its metadata and
 * the kernels that it brings.
 *
 * <p>Constants may be memory-mapped from the file: they are read-only, and the mapping lives as
 * long as anything refers to it. The file must not be truncated or rewritten in place meanwhile;
 * replacing it by a rename, as {@link RvmWriter} does, is safe.
 *
 * <p>Immutable and thread-safe; one program serves any number of virtual machines.
 */
@TypeKey("relax.VMExecutable")
public final class Program {
  private final Executable executable;
  private final ProgramMetadata metadata;
  private final List<KernelModule> modules;
  private final List<HostCode> hostCode;
  private final List<HostFunctions> hostFunctions;
  private final String source;

  private Program(
      Executable executable,
      ProgramMetadata metadata,
      List<KernelModule> modules,
      List<HostCode> hostCode,
      List<HostFunctions> hostFunctions,
      String source) {
    this.executable = executable;
    this.metadata = metadata;
    this.modules = List.copyOf(modules);
    this.hostCode = List.copyOf(hostCode);
    this.hostFunctions = List.copyOf(hostFunctions);
    this.source = source;
  }

  /**
   * Loads a program with the readers on the class path and module path; the format is told by the
   * content.
   *
   * @throws org.relaxvm.api.error.MalformedFileException when the file is missing, of no known
   *     format, or damaged
   * @throws org.relaxvm.api.error.InvalidProgramException when the verifier refuses the program
   */
  public static Program load(Path path) {
    return load(path, LoadOptions.DEFAULT);
  }

  /** As {@link #load(Path)}, with options. */
  public static Program load(Path path, LoadOptions options) {
    return ProgramReaders.discover().read(path, options);
  }

  /**
   * A program made in memory, without metadata and kernels.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when the verifier refuses it
   */
  public static Program of(Executable executable) {
    return of(executable, ProgramMetadata.EMPTY);
  }

  /** A program made in memory, without kernels. */
  public static Program of(Executable executable, ProgramMetadata metadata) {
    return of(executable, metadata, List.of());
  }

  /** A program made in memory, without machine code for the host. */
  public static Program of(
      Executable executable, ProgramMetadata metadata, List<KernelModule> modules) {
    return of(executable, metadata, modules, List.of());
  }

  /** A program made in memory. */
  public static Program of(
      Executable executable,
      ProgramMetadata metadata,
      List<KernelModule> modules,
      List<HostCode> hostCode) {
    Verifier.verify(executable);
    return new Program(
        executable, metadata, modules, hostCode, List.of(), "a program made in memory");
  }

  /** The same program with its source, for messages. */
  public Program withSource(String newSource) {
    return new Program(executable, metadata, modules, hostCode, hostFunctions, newSource);
  }

  /** The same program with functions in Java, which no file can hold. */
  public Program withHostFunctions(List<HostFunctions> functions) {
    return new Program(executable, metadata, modules, hostCode, functions, source);
  }

  /** Bytecode, function table and constants; verified. */
  public Executable executable() {
    return executable;
  }

  /** What the program says of itself. */
  public ProgramMetadata metadata() {
    return metadata;
  }

  /** The kernels that the program brings, in the order in which names are searched. */
  public List<KernelModule> modules() {
    return modules;
  }

  /** The machine code that the program brings for the host, searched before its kernels. */
  public List<HostCode> hostCode() {
    return hostCode;
  }

  /** Functions in Java that the program brings, searched after its machine code. */
  public List<HostFunctions> hostFunctions() {
    return hostFunctions;
  }

  /** Where the program comes from, for messages: an absolute path, or words. */
  public String source() {
    return source;
  }

  /**
   * The names that must be found when the program is linked: every packed and native function of
   * its table, then those that its metadata adds.
   */
  public List<String> requiredFunctions() {
    LinkedHashSet<String> names = new LinkedHashSet<>();
    for (FunctionInfo function : executable.functions()) {
      if (function.kind() != FunctionKind.VM) {
        names.add(function.name());
      }
    }
    names.addAll(metadata.requiredFunctions());
    return List.copyOf(names);
  }

  @Override
  public String toString() {
    String name = metadata.name().isEmpty() ? "program" : "program " + metadata.name();
    return name + " from " + source;
  }
}
