package org.relaxvm.interoprelay.release.file;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedDevice;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.vmcore.binary.ByteSink;
import org.relaxvm.vmcore.binary.RelayHeader;
import org.relaxvm.vmcore.binary.TensorBlob;

/**
 * Writes executables as the Relay VM of Apache TVM 0.6 to 0.19 did; what {@link
 * ReleasedExecutableReader} reads again is equal, apart from the identity of tensors. Nothing is
 * verified.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 15.3. Stateless and thread-safe.
 */
public final class ReleasedExecutableWriter {
  /** Where a tensor's data type is in its bytes. */
  private static final int DTYPE_OFFSET = 28;

  private ReleasedExecutableWriter() {}

  /**
   * The file as bytes.
   *
   * @throws InvalidProgramException a {@code ValueError} when the version never had the era, or for
   *     data types that the format cannot hold
   */
  public static byte[] toBytes(ReleasedExecutable executable) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      write(executable, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Writes the file to a stream, which stays open.
   *
   * @throws IOException when the stream fails
   * @throws InvalidProgramException a {@code ValueError} when the version never had the era, or for
   *     data types that the format cannot hold
   */
  public static void write(ReleasedExecutable executable, OutputStream stream) throws IOException {
    FileFormat format = format(executable);
    ByteSink out = ByteSink.to(stream);
    out.i64(RelayHeader.MAGIC);
    out.string(executable.version());
    if (format.hasDeviceTable()) {
      writeDevices(out, executable, format);
    }
    strings(out, executable.functions().stream().map(ReleasedFunction::name).toList());
    writeConstants(out, executable, format);
    strings(out, executable.packed());
    if (format.packedAttributes) {
      writeAttributes(out, executable.packedAttributes());
    }
    out.i64(executable.functions().size());
    for (ReleasedFunction function : executable.functions()) {
      writeFunction(out, function, format);
    }
    out.flush();
  }

  private static FileFormat format(ReleasedExecutable executable) {
    return FileFormat.candidates(executable.version()).stream()
        .filter(format -> format.era == executable.era())
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidProgramException(
                    ErrorKind.VALUE,
                    "an executable of era "
                        + executable.era()
                        + " cannot be saved with version \""
                        + executable.version()
                        + "\"\n  expected: "
                        + FileFormat.VERSIONS
                        + ", of the era\n  what to do: give the executable such a version"));
  }

  private static void writeDevices(ByteSink out, ReleasedExecutable executable, FileFormat format)
      throws IOException {
    out.i64(executable.devices().size());
    for (ReleasedDevice device : executable.devices()) {
      out.i32(device.type());
      out.i32(device.id());
      if (format.hasMemoryScopes()) {
        out.string(device.memoryScope());
      }
    }
    out.i32(executable.hostDevice());
  }

  private static void writeConstants(ByteSink out, ReleasedExecutable executable, FileFormat format)
      throws IOException {
    out.i64(executable.constants().size());
    for (ReleasedConstant constant : executable.constants()) {
      switch (constant) {
        case ReleasedConstant.Stored(Tensor tensor) -> {
          if (format.hasDeviceTable()) {
            out.i32(0);
          }
          writeTensor(out, tensor);
        }
        case ReleasedConstant.LateBound(String name) -> {
          if (!format.hasDeviceTable()) {
            throw new InvalidProgramException(
                ErrorKind.VALUE,
                "the constant '"
                    + name
                    + "' has no value, and files of era "
                    + format.era
                    + " have no constants that are given later\n"
                    + "  what to do: give the constant a tensor");
          }
          out.i32(1);
          out.string(name);
        }
      }
    }
    if (format.hasDevices()) {
      integers(out, executable.constantDevices());
    }
  }

  private static void writeTensor(ByteSink out, Tensor tensor) throws IOException {
    if (!tensor.dtype().equals(DType.BOOL)) {
      TensorBlob.write(out, tensor);
      return;
    }
    ByteArrayOutputStream blob = new ByteArrayOutputStream();
    ByteSink blobSink = ByteSink.to(blob);
    TensorBlob.write(blobSink, tensor);
    blobSink.flush();
    byte[] bytes = blob.toByteArray();
    DType stored = OldBool.inFile(tensor.dtype());
    bytes[DTYPE_OFFSET] = (byte) stored.code().code();
    bytes[DTYPE_OFFSET + 1] = (byte) stored.bits();
    out.segment(MemorySegment.ofArray(bytes));
  }

  private static void writeAttributes(ByteSink out, Map<Integer, Map<String, String>> all)
      throws IOException {
    out.i64(all.size());
    for (Map.Entry<Integer, Map<String, String>> entry : new TreeMap<>(all).entrySet()) {
      out.i64(entry.getKey());
      out.i64(entry.getValue().size());
      for (Map.Entry<String, String> attribute : new TreeMap<>(entry.getValue()).entrySet()) {
        out.string(attribute.getKey());
        out.string(attribute.getValue());
      }
    }
  }

  private static void writeFunction(ByteSink out, ReleasedFunction function, FileFormat format)
      throws IOException {
    strings(
        out,
        List.of(
            function.name(),
            Integer.toString(function.registerFileSize()),
            Integer.toString(function.code().size())));
    strings(out, function.paramNames());
    if (format.hasDevices()) {
      integers(out, function.paramDevices());
    }
    for (ReleasedInstruction instruction : function.code()) {
      long[] words = InstructionWords.of(instruction, format.era);
      out.i64(words.length);
      for (long word : words) {
        out.i64(word);
      }
    }
  }

  private static void strings(ByteSink out, List<String> values) throws IOException {
    out.i64(values.size());
    for (String value : values) {
      out.string(value);
    }
  }

  private static void integers(ByteSink out, List<Integer> values) throws IOException {
    out.i64(values.size());
    for (int value : values) {
      out.i64(value);
    }
  }
}
