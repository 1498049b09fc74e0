package org.relaxvm.interoptvm;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoptvm.load.FileIdentity;
import org.relaxvm.vmcore.program.FileHead;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramReader;

/**
 * Reads libraries that Apache TVM exported ({@code model.so}) without loading them: bytecode,
 * constants and kernels for devices come out of the file. Its machine code is loaded when a virtual
 * machine is linked, if that was allowed.
 *
 * <p>The file must not be truncated or rewritten in place while the program is used. Thread-safe.
 */
public final class TvmLibraryReader implements ProgramReader {
  private static final int[] ELF = {0x7F, 'E', 'L', 'F'};
  private static final int[] PE = {'M', 'Z'};
  private static final int[] MACH_O = {0xCF, 0xFA, 0xED, 0xFE};
  private static final int[] MACH_O_FAT = {0xCA, 0xFE, 0xBA, 0xBE};
  private static final int[] MACH_O_FAT_WIDE = {0xCA, 0xFE, 0xBA, 0xBF};
  private static final int MOST_FAT_PARTS = 30;

  @Override
  public int spiVersion() {
    return SPI_VERSION;
  }

  @Override
  public String name() {
    return "tvm-library";
  }

  @Override
  public String describe() {
    return "a library that Apache TVM exported";
  }

  @Override
  public boolean takesParams() {
    return true;
  }

  @Override
  public boolean accepts(FileHead head) {
    return head.hasAt(0, ELF)
        || head.hasAt(0, PE)
        || head.hasAt(0, MACH_O)
        || head.hasAt(0, MACH_O_FAT_WIDE)
        // Class files of Java begin alike, with a version above any number of parts.
        || (head.hasAt(0, MACH_O_FAT) && head.hasAt(4, 0, 0, 0) && head.at(7) < MOST_FAT_PARTS);
  }

  @Override
  public Program read(Path path, LoadOptions options) {
    // First, so that a file which replaces it meanwhile is found out when code is loaded.
    FileIdentity identity = FileIdentity.of(path);
    return ExportedLibrary.read(path, identity, map(path), options).program(RootModules.discover());
  }

  /** The bytes of a file. */
  static MemorySegment map(Path path) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot read " + path.toAbsolutePath() + ": " + e.getMessage(), e);
    }
  }
}
