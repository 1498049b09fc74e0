package org.relaxvm.interoprelay.release.program;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.file.ReleasedExecutableReader;
import org.relaxvm.interoptvm.KernelLibrary;
import org.relaxvm.vmcore.binary.RelayHeader;
import org.relaxvm.vmcore.program.FileHead;
import org.relaxvm.vmcore.program.HostCode;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.LoadOptions;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramReader;

/**
 * Reads executables of the Relay VM ({@code code.ro}). Their kernels are in a native library of
 * their own ({@link LoadOptions#library()}); without one, they are found by name when the program
 * is linked. The file must not be rewritten in place while the program is used. Thread-safe.
 */
public final class ReleasedProgramReader implements ProgramReader {
  @Override
  public int spiVersion() {
    return SPI_VERSION;
  }

  @Override
  public String name() {
    return "relay-executable";
  }

  @Override
  public String describe() {
    return "an executable that the Relay VM of Apache TVM 0.6 to 0.19 saved";
  }

  @Override
  public boolean takesParams() {
    return true;
  }

  @Override
  public boolean takesLibrary() {
    return true;
  }

  @Override
  public boolean accepts(FileHead head) {
    return RelayHeader.version(head.bytes()).isPresent();
  }

  @Override
  public Program read(Path path, LoadOptions options) {
    String file = path.toAbsolutePath().toString();
    ReleasedExecutable executable = ReleasedExecutableReader.read(map(path), "");
    Optional<KernelLibrary> library =
        options.library().map(kernels -> KernelLibrary.read(kernels, options));
    List<KernelModule> modules = library.map(KernelLibrary::modules).orElse(List.of());
    List<HostCode> code = library.map(found -> List.of(found.hostCode())).orElse(List.of());
    return Program.of(
            ReleasedPrograms.translated(executable, options),
            ReleasedPrograms.metadata(executable),
            modules,
            code)
        .withSource(file);
  }

  private static MemorySegment map(Path path) {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
      return channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO, "cannot read " + path.toAbsolutePath() + ": " + e.getMessage(), e);
    }
  }
}
