package org.relaxvm.builtins.params;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;

/** Reads the tensors of shard files. */
final class ShardReader {
  private static final ValueLayout.OfShort HALF =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt FLOAT_BITS =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path directory;
  private final UnaryOperator<Tensor> place;

  /**
   * Creates a reader.
   *
   * @param place makes the tensor that is kept from a host tensor that is valid during the call; an
   *     owner of its result is transferred
   */
  ShardReader(Path directory, UnaryOperator<Tensor> place) {
    this.directory = directory.toAbsolutePath().normalize();
    this.place = place;
  }

  /**
   * Adds the tensors of a shard to {@code tensors}; of two with one name the later one stays.
   *
   * @throws MalformedFileException a {@code ValueError} that names the shard, whatever the failure
   */
  void read(ShardRecord shard, Map<String, Tensor> tensors) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment content = map(shard, arena);
      for (TensorRecord record : shard.records()) {
        Tensor previous = tensors.put(record.name(), read(record, content));
        if (previous != null) {
          previous.release();
        }
      }
    } catch (IOException e) {
      throw failure(shard, "cannot read the file: " + e, e);
    } catch (RelaxException e) {
      throw failure(shard, e.summary(), e);
    }
  }

  private MemorySegment map(ShardRecord shard, Arena arena) throws IOException {
    if (!shard.format().equals("raw-shard")) {
      throw new MalformedFileException(
          ErrorKind.VALUE, "Only `raw-shard` format is supported\n  got " + shard.format());
    }
    try (FileChannel channel = FileChannel.open(file(shard))) {
      long size = channel.size();
      if (size != shard.byteSize()) {
        throw new MalformedFileException(
            ErrorKind.VALUE,
            "Encountered an corrupted parameter shard. It means it is not downloaded completely or"
                + " downloading is interrupted. Please try to download again.\n  expected "
                + shard.byteSize()
                + " bytes, got "
                + size);
      }
      return channel.map(MapMode.READ_ONLY, 0, size, arena);
    }
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
      return place.apply(host);
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
        ErrorKind.VALUE,
        "Error when loading parameters from " + shard.dataPath() + ": " + what,
        cause);
  }
}
