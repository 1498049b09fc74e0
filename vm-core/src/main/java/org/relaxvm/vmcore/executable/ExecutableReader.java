package org.relaxvm.vmcore.executable;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.vmcore.binary.ByteCursor;
import org.relaxvm.vmcore.binary.FileGuess;
import org.relaxvm.vmcore.binary.FormatError;
import org.relaxvm.vmcore.binary.FormatProblem;
import org.relaxvm.vmcore.binary.RelayHeader;

/**
 * Reads executables of all eras of the format. What is read is well-formed but not verified; memory
 * stays within a small multiple of the input, whatever the input says.
 *
 * <p>Constant tensors are read-only. Those that lie in native memory on a boundary of 64 bytes are
 * views of the input, which must then stay valid and unchanged; all others are copied.
 *
 * <p>Source: docs/spec/executable-format.md, sections 2 and 7. Stateless and thread-safe.
 */
public final class ExecutableReader {
  private ExecutableReader() {}

  /** Reads an executable from a file with the default options, without its era and warnings. */
  public static Executable read(Path file) {
    return readResult(file, ReadOptions.DEFAULT).executable();
  }

  /** Reads an executable with the default options, without its era and warnings. */
  public static Executable read(byte[] bytes) {
    return read(bytes, ReadOptions.DEFAULT);
  }

  /** Reads an executable, without its era and warnings. */
  public static Executable read(byte[] bytes, ReadOptions options) {
    return read(MemorySegment.ofArray(bytes), options);
  }

  /** Reads an executable, without its era and warnings. */
  public static Executable read(MemorySegment bytes, ReadOptions options) {
    return readResult(bytes, options).executable();
  }

  /**
   * Reads an executable from a file, which is mapped and must not change while the result is used.
   *
   * @throws MalformedFileException an {@code IOError} when the file cannot be opened, else as for a
   *     segment
   */
  public static ReadResult readResult(Path file, ReadOptions options) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      MemorySegment bytes = channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
      return readResult(bytes, options);
    } catch (IOException e) {
      String reason = e instanceof NoSuchFileException ? "there is no such file" : e.getMessage();
      throw new MalformedFileException(
          ErrorKind.IO, "Cannot open " + file.toAbsolutePath() + "\n  reason: " + reason, e);
    }
  }

  /**
   * Reads an executable that begins at the first byte of a segment.
   *
   * @throws MalformedFileException an {@code InternalError} that names the section, the byte, what
   *     was expected and what is there
   */
  public static ReadResult readResult(MemorySegment bytes, ReadOptions options) {
    long magic = magic(bytes);
    Era era = options.era().orElse(magic == Era.MAGIC_V2 ? Era.D : null);
    if (era == null) {
      return new EraSearch(bytes, options).find();
    }
    if (era.magic() != magic) {
      throw FormatError.of(
          FileSection.HEADER.problem(),
          0,
          "magic",
          hex(era.magic()) + " of era " + era,
          hex(magic),
          "leave out the era that was asked for, so that it is found out");
    }
    ByteCursor cursor = new ByteCursor(bytes);
    Executable executable = new ExecutableParse(cursor, era).parse();
    return new ReadResult(executable, era, trailing(cursor, options));
  }

  private static List<String> trailing(ByteCursor cursor, ReadOptions options) {
    List<String> warnings = new ArrayList<>();
    if (cursor.remaining() > 0) {
      String found =
          "the executable ends at byte "
              + cursor.position()
              + ", but "
              + cursor.remaining()
              + " more bytes follow";
      if (options.strict()) {
        throw FormatError.of(
            FormatProblem.of(found),
            cursor.position(),
            "end of the file",
            "no more bytes",
            cursor.remaining() + " bytes",
            "cut the file there, or read it without the strict option");
      }
      warnings.add(found + ": they are ignored");
    }
    return warnings;
  }

  private static long magic(MemorySegment bytes) {
    ByteCursor cursor = new ByteCursor(bytes);
    cursor.section(FileSection.HEADER.problem());
    if (bytes.byteSize() == 0) {
      throw FormatError.of(
          FileSection.HEADER.problem(),
          0,
          "magic",
          "8 bytes",
          "an empty file",
          "write or download the file again");
    }
    byte[] head = bytes.asSlice(0, Math.min(64, bytes.byteSize())).toArray(ValueLayout.JAVA_BYTE);
    boolean ours = head[0] == 0x1D || head[0] == 0x1E;
    if (head.length < 8 && ours) {
      cursor.i64("magic");
    }
    long magic = head.length < 8 ? 0 : cursor.i64("magic");
    if (magic != Era.MAGIC_V1 && magic != Era.MAGIC_V2) {
      FileGuess guess = FileGuess.ofNoExecutable(head);
      String got = head.length < 8 ? head.length + " bytes" : hex(magic);
      throw FormatError.of(
          FileSection.HEADER.problem(),
          0,
          "magic",
          hex(Era.MAGIC_V1) + " or " + hex(Era.MAGIC_V2),
          got + "; the file is " + guess.what(),
          guess.remedy());
    }
    Optional<String> relay = RelayHeader.version(head);
    if (relay.isPresent()) {
      throw FormatError.of(
          FileSection.VERSION.problem(),
          Long.BYTES,
          "version",
          "\"" + RelayHeader.RELAX_VERSION + "\"",
          "\"" + relay.get() + "\"; the file is an executable of the Relay VM",
          "load it with Program.load and the relaxvm-interop-relay jar on the class path");
    }
    return magic;
  }

  static String hex(long word) {
    return "0x" + Long.toHexString(word).toUpperCase(Locale.ROOT);
  }

  /** The trial of eras C, B and A, which share a magic. */
  private static final class EraSearch {
    private final MemorySegment bytes;
    private final ReadOptions options;
    private final StringBuilder trials = new StringBuilder();
    private String furthest = "";
    private long furthestByte = -1;
    private @Nullable String tvmMessage;

    EraSearch(MemorySegment bytes, ReadOptions options) {
      this.bytes = bytes;
      this.options = options;
    }

    ReadResult find() {
      for (Era era : new Era[] {Era.C, Era.B, Era.A}) {
        ByteCursor cursor = new ByteCursor(bytes);
        try {
          Executable executable = new ExecutableParse(cursor, era).parse();
          trailing(cursor, options.withStrict(true));
          options.acceptance().accept(executable);
          return new ReadResult(executable, era, List.of());
        } catch (MalformedFileException | InvalidProgramException e) {
          addTrial(era, cursor, e);
        }
      }
      MalformedFileException error =
          new MalformedFileException(
              ErrorKind.INTERNAL,
              furthest
                  + "\n  eras tried, for the file does not say which it is:"
                  + trials
                  + "\n"
                  + "  what to do: give the era of the release that wrote it in the read"
                  + " options");
      throw tvmMessage == null ? error : error.withTvmMessage(tvmMessage);
    }

    private void addTrial(Era era, ByteCursor cursor, RelaxException error) {
      String message = error.problem();
      String first = message.lines().findFirst().orElse(message);
      trials.append("\n    ").append(era).append(" (").append(era.releases()).append("): ");
      trials.append(first);
      // The reading that understood most is most likely the right one; C comes first among equals.
      if (cursor.position() > furthestByte) {
        furthestByte = cursor.position();
        furthest = message;
        tvmMessage = error.tvmMessage().orElse(null);
      }
    }
  }
}
