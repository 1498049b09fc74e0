package org.relaxvm.vmcore.executable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.vmcore.binary.ByteSink;
import org.relaxvm.vmcore.binary.TensorBlob;

/**
 * Writes executables in era D of the format; a file of that era that was read is written back byte
 * for byte.
 *
 * <p>Source: docs/spec/executable-format.md, section 2. Stateless and thread-safe.
 */
public final class ExecutableWriter {
  private ExecutableWriter() {}

  /**
   * The bytes of an executable.
   *
   * @throws InvalidProgramException when a constant cannot be saved, or when the bytes do not fit
   *     an array
   */
  public static byte[] write(Executable executable) {
    long size = byteSize(executable);
    if (size > Integer.MAX_VALUE - 8) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the executable takes " + size + " bytes, which no Java array holds; write to a stream");
    }
    try (ByteArrayOutputStream out = new ByteArrayOutputStream((int) size)) {
      write(executable, out);
      return out.toByteArray();
    } catch (IOException e) {
      throw new UncheckedIOException("a byte array takes every byte", e);
    }
  }

  /**
   * Writes an executable of any size to a stream, which stays open.
   *
   * @throws InvalidProgramException when a constant cannot be saved
   */
  public static void write(Executable executable, OutputStream out) throws IOException {
    ByteSink sink = ByteSink.to(out);
    write(executable, sink);
    sink.flush();
  }

  /** The number of bytes that {@link #write} makes. */
  public static long byteSize(Executable executable) {
    ByteSink sink = ByteSink.counting();
    try {
      write(executable, sink);
    } catch (IOException e) {
      throw new UncheckedIOException("counting does no input or output", e);
    }
    return sink.written();
  }

  private static void write(Executable executable, ByteSink out) throws IOException {
    out.i64(Era.MAGIC_V2);
    out.string(ExecutableParse.VERSION);
    out.i64(executable.functions().size());
    for (FunctionInfo function : executable.functions()) {
      write(function, out);
    }
    out.i64(executable.memoryScopes().size());
    for (Map.Entry<Integer, String> scope : executable.memoryScopes().entrySet()) {
      out.i64(scope.getKey());
      out.string(scope.getValue());
    }
    out.i64(executable.constants().size());
    for (Object constant : executable.constants()) {
      write(constant, out);
    }
    out.i64(executable.instructionCount());
    for (int i = 0; i < executable.instructionCount(); i++) {
      out.i64(executable.offset(i));
    }
    out.i64(executable.wordCount());
    for (int i = 0; i < executable.wordCount(); i++) {
      out.i64(executable.word(i));
    }
  }

  private static void write(FunctionInfo function, ByteSink out) throws IOException {
    out.i32(function.kind().ordinal());
    out.string(function.name());
    out.i64(function.startInstr());
    out.i64(function.endInstr());
    out.i64(function.numArgs());
    out.i64(function.registerFileSize());
    out.i64(function.paramNames().size());
    for (String name : function.paramNames()) {
      out.string(name);
    }
  }

  private static void write(Object constant, ByteSink out) throws IOException {
    ConstantKind kind = ConstantKind.of(constant);
    out.i32(Era.D.tag(kind));
    switch (kind) {
      case INT -> out.i64((Long) constant);
      case FLOAT -> out.i64(Double.doubleToRawLongBits((Double) constant));
      case DTYPE -> TensorBlob.writeDType(out, (DType) constant);
      case STRING -> out.string((String) constant);
      case TENSOR -> TensorBlob.write(out, (Tensor) constant);
      case SHAPE -> {
        long[] dims = ((Shape) constant).toArray();
        out.i64(dims.length);
        for (long dim : dims) {
          out.i64(dim);
        }
      }
    }
  }
}
