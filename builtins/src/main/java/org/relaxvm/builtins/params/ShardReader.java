package org.relaxvm.builtins.params;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;

/** Reads the tensors of shard files, which it maps: what is used in place is never on the heap. */
final class ShardReader {
  // Tensors may share bytes, but a small manifest must not make many copies of a large shard.
  private static final int MAX_SHARING = 2;
  private static final ValueLayout.OfShort HALF =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt FLOAT_BITS =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path directory;
  private final UnaryOperator<Tensor> transfer;
  private final Map<Path, Long> bytesLeft = new HashMap<>();

  /**
   * Creates a reader.
   *
   * @param transfer makes the tensor that is kept from a host tensor, which may be over a mapped
   *     file; an owner of its result is transferred
   */
  ShardReader(Path directory, UnaryOperator<Tensor> transfer) {
    this.directory = directory.toAbsolutePath().normalize();
    this.transfer = transfer;
  }

  /**
   * Adds the tensors of a shard to {@code tensors}; of two with one name the later one stays.
   *
   * @throws MalformedFileException a {@code ValueError} that names the shard, whatever the failure
   */
  void read(ShardRecord shard, Map<String, Tensor> tensors) {
    try {
      MemorySegment content = map(shard);
      for (TensorRecord record : shard.records()) {
        Tensor previous = tensors.put(record.name(), read(record, content));
        if (previous != null) {
          previous.release();
        }
      }
    } catch (IOException e) {
      throw failure(shard, "cannot read the file: " + e, e);
    } catch (RelaxException e) {
      MalformedFileException error = failure(shard, e.summary(), e);
      e.tvmMessage()
          .ifPresent(
              text ->
                  error.withTvmMessage(
                      "Error when loading parameters from " + shard.dataPath() + ": " + text));
      throw error;
    }
  }

  private MemorySegment map(ShardRecord shard) throws IOException {
    if (!shard.format().equals(ShardRecord.RAW)) {
      throw new MalformedFileException(
              ErrorKind.VALUE, "its format must be raw-shard, but is " + shard.format())
          .withTvmMessage("Only `raw-shard` format is supported");
    }
    Path file = file(shard);
    // Opening a pipe would wait for its writer.
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new MalformedFileException(ErrorKind.VALUE, "it is no file with bytes of its own");
    }
    try (FileChannel channel = FileChannel.open(file)) {
      long size = channel.size();
      if (size != shard.byteSize()) {
        throw new MalformedFileException(
                ErrorKind.VALUE,
                "it is incomplete or damaged\n  expected: "
                    + shard.byteSize()
                    + " bytes\n  got: "
                    + size
                    + "\n  what to do: download it again")
            .withTvmMessage(
                "Encountered an corrupted parameter shard. It means it is not downloaded completely"
                    + " or downloading is interrupted. Please try to download again.");
      }
      takeFrom(file, size, shard.records());
      return channel.map(MapMode.READ_ONLY, 0, size, Arena.ofAuto());
    }
  }

  private void takeFrom(Path file, long size, List<TensorRecord> records) {
    long left = bytesLeft.getOrDefault(file, MAX_SHARING * size);
    for (TensorRecord record : records) {
      left -= Math.clamp(record.byteSize(), 0, size);
      if (left < 0) {
        throw new MalformedFileException(
            ErrorKind.VALUE,
            "its tensors, up to "
                + record.name()
                + ", take more than "
                + MAX_SHARING
                + " times the "
                + size
                + " bytes that it has: they overlap");
      }
    }
    bytesLeft.put(file, left);
  }

  private Path file(ShardRecord shard) {
    try {
      Path file = directory.resolve(shard.dataPath()).normalize();
      if (file.startsWith(directory)) {
        return file;
      }
    } catch (InvalidPathException e) {
      throw new MalformedFileException(ErrorKind.VALUE, "not a file name: " + e.getReason(), e);
    }
    throw new MalformedFileException(
        ErrorKind.VALUE, "a shard must be inside of the directory " + directory);
  }

  private Tensor read(TensorRecord record, MemorySegment shard) {
    long expected = record.storedByteSize();
    if (record.byteSize() != expected) {
      throw new MalformedFileException(
          ErrorKind.VALUE,
          "tensor "
              + record.name()
              + ", "
              + record.dtype()
              + record.shape()
              + " in format "
              + record.format()
              + ", takes "
              + expected
              + " bytes, but its record says "
              + record.byteSize());
    }
    if (record.byteOffset() < 0 || record.byteOffset() > shard.byteSize() - expected) {
      throw new MalformedFileException(
          ErrorKind.VALUE,
          "tensor "
              + record.name()
              + " has "
              + expected
              + " bytes at "
              + record.byteOffset()
              + ", which is outside of the shard's "
              + shard.byteSize()
              + " bytes");
    }
    MemorySegment bytes = shard.asSlice(record.byteOffset(), expected);
    Tensor host =
        record.isHalved()
            ? widened(record, bytes)
            : Tensor.wrap(bytes, record.dtype(), record.shape());
    try {
      return transfer.apply(host);
    } finally {
      host.release();
    }
  }

  private static Tensor widened(TensorRecord record, MemorySegment halves) {
    Tensor tensor = Tensor.zeros(record.dtype(), record.shape());
    MemorySegment floats = tensor.segment();
    for (long at = 0; at < halves.byteSize(); at += Short.BYTES) {
      floats.set(FLOAT_BITS, 2 * at, halves.get(HALF, at) << 16);
    }
    return tensor;
  }

  private static MalformedFileException failure(ShardRecord shard, String what, Exception cause) {
    return new MalformedFileException(
        ErrorKind.VALUE, "cannot load parameters from " + shard.dataPath() + ": " + what, cause);
  }
}
