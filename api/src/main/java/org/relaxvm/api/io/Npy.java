package org.relaxvm.api.io;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;

/**
 * Reads and writes {@code .npy} files, NumPy's form of one array: versions 1.0, 2.0 and 3.0, any
 * rank, little and big endian, row- and column-major, beyond 2 GiB.
 *
 * <p>Element types: {@code bool}, signed and unsigned integers of 8 to 64 bits, {@code float16},
 * {@code float32}, {@code float64}, {@code complex64}, {@code complex128}. Types that NumPy itself
 * does not have, {@code bfloat16} and the {@code float8} family, are in such files as bare bytes
 * ({@code V2}, {@code V1}): they are written so, and read when the caller says which they are.
 *
 * <p>Source: NumPy enhancement proposal 1, "A simple file format for NumPy arrays". Stateless and
 * thread-safe.
 */
public final class Npy {
  private Npy() {}

  /**
   * Reads a file into host memory of its own; the tensor is compact and row-major.
   *
   * @throws org.relaxvm.api.error.MalformedFileException an {@code IOError} when the file cannot be
   *     read, a {@code ValueError} when it is no {@code .npy} file, is damaged, or has an element
   *     type that tensors do not have
   */
  public static Tensor read(Path file) {
    return read(file, null);
  }

  /**
   * Reads a file whose elements are bare bytes or are of this dtype already.
   *
   * @param dtype of the same size per element as in the file
   * @throws org.relaxvm.api.error.MalformedFileException as for {@link #read(Path)}, and a {@code
   *     ValueError} when the file has elements of another dtype
   */
  public static Tensor read(Path file, @Nullable DType dtype) {
    NpySource where = new NpySource(file.toString());
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena);
      return NpyData.read(bytes, NpyHeader.parse(bytes, where), dtype, where);
    } catch (IOException e) {
      throw FileErrors.unreadable(file, e);
    }
  }

  /**
   * Reads the content of a file.
   *
   * @param bytes the whole file; not used after the call
   * @param origin what messages call it
   */
  public static Tensor read(MemorySegment bytes, String origin) {
    NpySource where = new NpySource(origin);
    try {
      return NpyData.read(bytes, NpyHeader.parse(bytes, where), null, where);
    } catch (IOException e) {
      throw new UncheckedIOException("memory cannot fail to be read", e);
    }
  }

  /**
   * A tensor over the file itself, mapped into memory: nothing is copied, pages are read when they
   * are touched, and the tensor cannot be written. The file must not change while the tensor is in
   * use. A column-major file gives a strided tensor.
   *
   * @throws org.relaxvm.api.error.MalformedFileException as for {@link #read(Path)}, and a {@code
   *     ValueError} when the elements are big endian or do not lie on their natural alignment: such
   *     a file must be read
   */
  public static Tensor map(Path file) {
    NpySource where = new NpySource(file.toString());
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      MemorySegment bytes =
          channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
      return NpyData.wrap(bytes, NpyHeader.parse(bytes, where), where);
    } catch (IOException e) {
      throw FileErrors.unreadable(file, e);
    }
  }

  /**
   * Writes a tensor from any device and with any strides as NumPy 2 writes a row-major array. The
   * file appears complete or not at all: it is written beside its final location and then moved,
   * and replaces a file that is there.
   *
   * @throws org.relaxvm.api.error.MalformedFileException an {@code IOError} when the file cannot be
   *     written
   * @throws org.relaxvm.api.error.CallException a {@code ValueError} for dtypes without a form in
   *     such files: sub-byte types, handles and more than one lane
   */
  public static void write(Path file, Tensor tensor) {
    Tensor host = NpyData.compactOnHost(tensor);
    byte[] header = NpyHeader.of(host).format();
    AtomicFile.write(
        file,
        channel -> {
          OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel));
          out.write(header);
          NpyData.write(host, out);
          out.flush();
        });
  }

  /**
   * Writes a tensor to a stream, which stays open.
   *
   * @throws IOException when the stream does
   */
  public static void write(OutputStream out, Tensor tensor) throws IOException {
    Tensor host = NpyData.compactOnHost(tensor);
    out.write(NpyHeader.of(host).format());
    NpyData.write(host, out);
  }
}
