package org.relaxvm.interoptvm;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoptvm.device.DeviceImages;
import org.relaxvm.interoptvm.library.LibraryBin;
import org.relaxvm.interoptvm.library.ModuleContent;
import org.relaxvm.interoptvm.load.Convention;
import org.relaxvm.interoptvm.load.FileIdentity;
import org.relaxvm.interoptvm.object.ObjectFile;
import org.relaxvm.interoptvm.spi.RootProgram;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;

/** What is in an exported library, as far as its file tells. */
final class ExportedLibrary {
  private final Path path;
  private final ObjectFile object;
  private final Optional<LibraryRelease> release;
  private final LibraryBin container;
  private final SequencedMap<Integer, ModuleContent> contents;
  private final LoadOptions options;
  private final FileIdentity identity;

  private ExportedLibrary(
      Path path,
      FileIdentity identity,
      ObjectFile object,
      Optional<LibraryRelease> release,
      LibraryBin container,
      LoadOptions options) {
    this.path = path;
    this.identity = identity;
    this.object = object;
    this.release = release;
    this.container = container;
    this.options = options;
    contents = new LinkedHashMap<>();
    for (int index : container.searchOrder()) {
      contents.put(index, container.content(index, options.executable()));
    }
  }

  /**
   * Reads a library that Apache TVM exported.
   *
   * @param identity which file the bytes are of
   * @throws org.relaxvm.api.error.MalformedFileException when the file is damaged
   * @throws InvalidProgramException when it contains no modules
   */
  static ExportedLibrary read(
      Path path, FileIdentity identity, MemorySegment bytes, LoadOptions options) {
    String file = path.toAbsolutePath().toString();
    ObjectFile object = ObjectFile.read(bytes, file);
    LibraryRelease release =
        LibraryRelease.of(object).orElseThrow(() -> LibraryRelease.unknown(object, file));
    return new ExportedLibrary(
        path, identity, object, Optional.of(release), release.container(object, file), options);
  }

  /** Reads a library that need not contain any modules beside its code. */
  static ExportedLibrary readKernels(
      Path path, FileIdentity identity, MemorySegment bytes, LoadOptions options) {
    String file = path.toAbsolutePath().toString();
    ObjectFile object = ObjectFile.read(bytes, file);
    Optional<LibraryRelease> release = LibraryRelease.of(object);
    LibraryBin container =
        release.map(known -> known.container(object, file)).orElse(LibraryBin.ofCodeAlone());
    return new ExportedLibrary(path, identity, object, release, container, options);
  }

  /**
   * The program of its root module.
   *
   * @throws InvalidProgramException when the root module is none, or the verifier refuses it
   */
  Program program(RootModules roots) {
    RootProgram root = roots.read(container.root(), contents.firstEntry().getValue(), options);
    return Program.of(
            root.executable(),
            root.metadata(),
            kernels(),
            List.of(new ExportedCode(this, root.facts())))
        .withSource(path.toAbsolutePath().toString());
  }

  /** The machine code without the program of its root module. */
  ExportedCode code() {
    return new ExportedCode(this, new LinkedHashMap<>(Map.of()));
  }

  /** Its kernels for devices. */
  List<KernelModule> kernels() {
    List<KernelModule> kernels = new ArrayList<>();
    for (ModuleContent content : contents.values()) {
      if (content instanceof ModuleContent.DeviceContent(var module)) {
        kernels.addAll(DeviceImages.of(module));
      }
    }
    return kernels;
  }

  /**
   * Requires a library of kernels alone.
   *
   * @throws InvalidProgramException when its root module is a program
   */
  void requireNoProgram() {
    if (!container.root().isLibrary()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          path.toAbsolutePath()
              + " contains a program beside its kernels\n  expected: a library whose root module is"
              + " its own code\n  got: a root module of kind "
              + container.root().kind()
              + "\n  what to do: load this file as the program");
    }
  }

  Path path() {
    return path;
  }

  ObjectFile object() {
    return object;
  }

  LibraryBin container() {
    return container;
  }

  /** The releases that export such libraries, if it contains modules. */
  Optional<LibraryRelease> release() {
    return release;
  }

  /** How its functions are called. */
  Convention convention() {
    return release.map(LibraryRelease::convention).orElse(Convention.UP_TO_0_20);
  }

  /** The contents of modules by their index, in the order in which names are searched. */
  SequencedMap<Integer, ModuleContent> contents() {
    return contents;
  }

  /** Which file it was read from. */
  FileIdentity identity() {
    return identity;
  }

  /** Whether its machine code may be run. */
  boolean allowed() {
    return options.allowNativeCode();
  }
}
