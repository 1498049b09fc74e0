package org.relaxvm.vmcore.program;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.io.AtomicFile;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.zip.Checksums;
import org.relaxvm.vmcore.zip.StoredZipWriter;

/**
 * Writes programs as {@code .rvm} packages: zip archives of stored entries that start at multiples
 * of 64 bytes.
 *
 * <ul>
 *   <li>{@code manifest.json}, always the first entry: format and version; size and SHA-256 of
 *       every other entry; dtype and shape of the constants that have an entry; format, device,
 *       symbols and launches of kernels
 *   <li>{@code metadata.json}: {@link ProgramMetadata}
 *   <li>{@code program.bin}: the executable in its binary form, in which every constant that has an
 *       entry is an empty uint8 tensor
 *   <li>{@code kernels/<n>}: an image each
 *   <li>{@code constants/<index>}: the elements of a tensor, compact, row-major, little-endian
 * </ul>
 *
 * Equal programs give equal bytes. Thread-safe.
 */
public final class RvmWriter {
  /** Tensors of at least so many bytes get an entry of their own, which is mapped when loaded. */
  public static final int EXTERNAL_CONSTANT_BYTES = 1024;

  private RvmWriter() {}

  /**
   * Writes a package. The file appears complete or not at all: an existing file stays until the new
   * one replaces it.
   *
   * @throws org.relaxvm.api.error.MalformedFileException an {@code IOError} when the file cannot be
   *     written
   * @throws InvalidProgramException a {@code ValueError} when the program brings machine code for
   *     the host or functions in Java, which a package cannot hold
   */
  public static void write(Program program, Path path) {
    if (!program.hostCode().isEmpty()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "a .rvm package cannot hold the machine code of "
              + program.hostCode().getFirst().origin()
              + "\n  what to do: keep the library, which can be run as it is");
    }
    if (!program.hostFunctions().isEmpty()) {
      HostFunctions functions = program.hostFunctions().getFirst();
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "a .rvm package cannot hold "
              + functions.origin()
              + "\n  what to do: "
              + functions.remedy());
    }
    AtomicFile.write(path.toAbsolutePath(), channel -> write(program, channel));
  }

  private static void write(Program program, FileChannel channel) throws IOException {
    Map<String, MemorySegment> kernels = new LinkedHashMap<>();
    List<RvmManifest.Kernel> kernelItems = new ArrayList<>();
    for (KernelModule module : program.modules()) {
      String entry = "kernels/" + kernels.size();
      ModuleImage image = module.image();
      kernels.put(entry, image.bytes());
      kernelItems.add(
          new RvmManifest.Kernel(
              entry, module.device(), image.format(), image.symbols(), image.entries()));
    }
    Map<String, MemorySegment> constants = new LinkedHashMap<>();
    List<RvmManifest.Constant> constantItems = new ArrayList<>();
    Executable inner = takeOut(program.executable(), constants, constantItems);

    Map<String, MemorySegment> entries = new LinkedHashMap<>();
    entries.put(RvmManifest.METADATA, utf8(program.metadata().toJson()));
    entries.put(RvmManifest.PROGRAM, MemorySegment.ofArray(ExecutableWriter.write(inner)));
    entries.putAll(kernels);
    entries.putAll(constants);
    SequencedMap<String, RvmManifest.Content> contents = new LinkedHashMap<>();
    entries.forEach(
        (name, bytes) ->
            contents.put(name, new RvmManifest.Content(bytes.byteSize(), Checksums.sha256(bytes))));

    StoredZipWriter zip = new StoredZipWriter(channel);
    zip.add(RvmManifest.NAME, utf8(new RvmManifest(contents, constantItems, kernelItems).toJson()));
    for (Map.Entry<String, MemorySegment> entry : entries.entrySet()) {
      zip.add(entry.getKey(), entry.getValue());
    }
    zip.finish();
  }

  /** The executable without the constants that get an entry; fills both collections. */
  private static Executable takeOut(
      Executable executable,
      Map<String, MemorySegment> contents,
      List<RvmManifest.Constant> items) {
    List<Object> constants = new ArrayList<>();
    Tensor placeholder = Tensor.zeros(DType.UINT8, Shape.of(0));
    for (int i = 0; i < executable.constants().size(); i++) {
      Object constant = executable.constants().get(i);
      if (constant instanceof Tensor tensor && tensor.byteSize() >= EXTERNAL_CONSTANT_BYTES) {
        String entry = "constants/" + i;
        boolean plain = tensor.device().isHost() && tensor.isContiguous();
        contents.put(entry, (plain ? tensor : tensor.toHost()).segment());
        items.add(new RvmManifest.Constant(i, entry, tensor.dtype(), tensor.shape()));
        constants.add(placeholder);
      } else {
        constants.add(constant);
      }
    }
    return new Executable(
        executable.functions(),
        constants,
        executable.memoryScopes(),
        executable.offsets(),
        executable.words());
  }

  private static MemorySegment utf8(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
  }
}
