package org.relaxvm.interoptvm;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoptvm.device.DeviceImages;
import org.relaxvm.interoptvm.library.LibraryBin;
import org.relaxvm.interoptvm.library.ModuleContent;
import org.relaxvm.interoptvm.library.ModuleNode;
import org.relaxvm.interoptvm.load.FileIdentity;
import org.relaxvm.interoptvm.object.ObjectFile;
import org.relaxvm.vmcore.executable.ReadResult;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;

/** What is in an exported library, as far as its file tells. */
final class ExportedLibrary {
  private final Path path;
  private final ObjectFile object;
  private final LibraryBin container;
  private final ReadResult executable;
  private final SequencedMap<Integer, ModuleContent> contents;
  private final boolean allowed;
  private final FileIdentity identity;

  private ExportedLibrary(
      Path path,
      ObjectFile object,
      LibraryBin container,
      ReadResult executable,
      SequencedMap<Integer, ModuleContent> contents,
      boolean allowed,
      FileIdentity identity) {
    this.path = path;
    this.object = object;
    this.container = container;
    this.executable = executable;
    this.contents = contents;
    this.allowed = allowed;
    this.identity = identity;
  }

  /**
   * Reads a library.
   *
   * @param identity which file the bytes are of
   * @throws org.relaxvm.api.error.MalformedFileException when the file is damaged
   * @throws InvalidProgramException when it holds no program for the Relax VM, or one of a time
   *     whose calling convention is another
   */
  static ExportedLibrary read(
      Path path, FileIdentity identity, MemorySegment bytes, LoadOptions options) {
    String file = path.toAbsolutePath().toString();
    ObjectFile object = ObjectFile.read(bytes, file);
    LibraryBin container = LibraryBin.read(LibraryRelease.container(object, file));
    if (!container.root().kind().equals(ModuleNode.EXECUTABLE)) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the library holds no program for the Relax VM\n  expected: a root module of kind "
              + ModuleNode.EXECUTABLE
              + "\n  got: "
              + container.root().kind()
              + "\n  what to do: compile the model with relax.build and export that");
    }
    SequencedMap<Integer, ModuleContent> contents = new LinkedHashMap<>();
    for (int index : container.searchOrder()) {
      contents.put(index, container.content(index, options.executable()));
    }
    if (!(contents.get(0) instanceof ModuleContent.ExecutableContent(ReadResult executable))) {
      throw new IllegalStateException("the kind was compared");
    }
    return new ExportedLibrary(
        path, object, container, executable, contents, options.allowNativeCode(), identity);
  }

  Program program() {
    List<KernelModule> kernels = new ArrayList<>();
    for (ModuleContent content : contents.values()) {
      if (content instanceof ModuleContent.DeviceContent(var module)) {
        kernels.addAll(DeviceImages.of(module));
      }
    }
    return Program.of(
            executable.executable(),
            ProgramMetadata.EMPTY,
            kernels,
            List.of(new ExportedCode(this)))
        .withSource(path.toAbsolutePath().toString());
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

  ReadResult executable() {
    return executable;
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
    return allowed;
  }
}
