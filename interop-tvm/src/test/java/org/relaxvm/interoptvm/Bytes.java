package org.relaxvm.interoptvm;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.binary.ByteSink;
import org.relaxvm.vmcore.binary.TensorBlob;

/** Puts files together by hand. */
public final class Bytes {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final ByteSink out = ByteSink.to(bytes);

  private interface Write {
    void run() throws IOException;
  }

  private Bytes then(Write write) {
    try {
      write.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  public Bytes i32(int value) {
    return then(() -> out.i32(value));
  }

  public Bytes i64(long... values) {
    for (long value : values) {
      then(() -> out.i64(value));
    }
    return this;
  }

  public Bytes string(String text) {
    return then(() -> out.string(text));
  }

  /** A number and so many strings. */
  public Bytes strings(String... texts) {
    i64(texts.length);
    List.of(texts).forEach(this::string);
    return this;
  }

  /** A length and the bytes. */
  public Bytes blob(byte[] content) {
    i64(content.length);
    return raw(content);
  }

  public Bytes raw(byte[] content) {
    return then(() -> out.segment(MemorySegment.ofArray(content)));
  }

  /** A number and so many data types. */
  public Bytes dtypes(DType... dtypes) {
    i64(dtypes.length);
    for (DType dtype : dtypes) {
      then(() -> TensorBlob.writeDType(out, dtype));
    }
    return this;
  }

  public Bytes tensor(Tensor tensor) {
    return then(() -> TensorBlob.write(out, tensor));
  }

  public byte[] toArray() {
    then(out::flush);
    return bytes.toByteArray();
  }

  public MemorySegment segment() {
    return MemorySegment.ofArray(toArray());
  }
}
