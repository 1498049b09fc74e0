package org.relaxvm.vmcore.program;

import java.nio.file.Path;
import org.relaxvm.vmcore.binary.RelayHeader;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableReader;

/** Reads bare executables: bytecode and constants without metadata and kernels. Thread-safe. */
public final class ExecutableProgramReader implements ProgramReader {
  @Override
  public int spiVersion() {
    return SPI_VERSION;
  }

  @Override
  public String name() {
    return "executable";
  }

  @Override
  public String describe() {
    return "a bare Relax VM executable, format 0.14";
  }

  @Override
  public boolean accepts(FileHead head) {
    return head.hasAt(1, 0x15, 0x14, 0x42, 0x2F, 0xDE, 0x25, 0xD2)
        && (head.at(0) == 0x1D || head.at(0) == 0x1E)
        && RelayHeader.version(head.bytes()).isEmpty();
  }

  @Override
  public Program read(Path path, LoadOptions options) {
    Executable executable = ExecutableReader.read(FileBytes.read(path), options.executable());
    return Program.of(executable).withSource(path.toAbsolutePath().toString());
  }
}
