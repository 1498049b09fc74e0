package org.relaxvm.interoprelay.release.file;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.vmcore.binary.ByteCursor;
import org.relaxvm.vmcore.binary.FormatError;
import org.relaxvm.vmcore.binary.RelayHeader;

/**
 * Reads executables that the Relay VM of Apache TVM 0.6 to 0.19 saved ({@code code.ro}). What is
 * read is well-formed but not verified; memory stays within a small multiple of the input.
 *
 * <p>The version in the file decides its format. A development version may have the format of the
 * release before it or of the one after it: the first that fits to the last byte is taken.
 *
 * <p>Constant tensors are read-only. Those that lie in native memory on a boundary of 64 bytes are
 * views of the input, which must then stay valid and unchanged; all others are copied. Tensors of
 * the one-bit unsigned integers that those releases had for booleans become boolean ones.
 *
 * <p>Source: docs/spec/relay-register-vm.md, sections 15.3 and 15.4. Stateless and thread-safe.
 */
public final class ReleasedExecutableReader {
  private ReleasedExecutableReader() {}

  /**
   * Reads an executable.
   *
   * @param source the file or what else it comes from, for messages; empty if the caller adds it
   * @throws MalformedFileException a {@code ValueError} that names the byte, what was expected and
   *     what is there
   */
  public static ReleasedExecutable read(byte[] bytes, String source) {
    return read(MemorySegment.ofArray(bytes), source);
  }

  /**
   * Reads an executable that fills a segment.
   *
   * @param source the file or what else it comes from, for messages; empty if the caller adds it
   * @throws MalformedFileException a {@code ValueError} that names the byte, what was expected and
   *     what is there
   */
  public static ReleasedExecutable read(MemorySegment bytes, String source) {
    try {
      return read(bytes);
    } catch (MalformedFileException e) {
      if (!source.isEmpty()) {
        e.addLocation("executable of the Relay VM from " + source);
      }
      throw e;
    }
  }

  private static ReleasedExecutable read(MemorySegment bytes) {
    ByteCursor head = new ByteCursor(bytes);
    head.section(ExecutableParse.PROBLEM);
    long magic = head.i64("magic");
    if (magic != RelayHeader.MAGIC) {
      throw FormatError.of(
          ExecutableParse.PROBLEM,
          0,
          "magic",
          hex(RelayHeader.MAGIC),
          hex(magic),
          "check that it is the code that Executable.save of Apache TVM returned");
    }
    long at = head.position();
    String version = head.string("version");
    if (version.equals(RelayHeader.RELAX_VERSION)) {
      throw head.fail(
          at,
          "version",
          FileFormat.VERSIONS,
          "\"" + version + "\", which executables of the Relax VM have",
          "read it with ExecutableReader");
    }
    List<FileFormat> formats = FileFormat.candidates(version);
    if (formats.isEmpty()) {
      throw head.fail(
          at,
          "version",
          FileFormat.VERSIONS,
          "\"" + ExecutableParse.shown(version) + "\"",
          "no other version of Apache TVM wrote programs of the Relay VM: check the file");
    }
    return formats.size() == 1
        ? new ExecutableParse(new ByteCursor(bytes), formats.getFirst()).parse()
        : firstThatFits(bytes, formats, version);
  }

  private static ReleasedExecutable firstThatFits(
      MemorySegment bytes, List<FileFormat> formats, String version) {
    StringBuilder trials = new StringBuilder();
    String furthest = "";
    long furthestByte = -1;
    for (FileFormat format : formats) {
      ByteCursor in = new ByteCursor(bytes);
      try {
        return new ExecutableParse(in, format).parse();
      } catch (MalformedFileException e) {
        String problem = e.problem();
        trials.append("\n    ").append(format.era).append(" (").append(format.releases());
        trials.append("): ").append(problem.lines().skip(1).findFirst().orElse(problem).strip());
        if (in.position() > furthestByte) {
          furthestByte = in.position();
          furthest = problem;
        }
      }
    }
    throw new MalformedFileException(
        ErrorKind.VALUE,
        furthest
            + "\n  formats tried, for the development version "
            + version
            + " may have either:"
            + trials
            + "\n  what to do: save the program again with a release of Apache TVM");
  }

  private static String hex(long word) {
    return "0x" + Long.toHexString(word).toUpperCase(Locale.ROOT);
  }
}
