package org.relaxvm.interoponnx.data;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.relaxvm.api.Storage;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/**
 * A file that is mapped, and from which parts can be read without making the pages of the mapping
 * resident. The garbage collector ends the mapping and closes the file. Thread-safe.
 */
public final class MappedFile {
  private static final long MOST_AT_ONCE = 1 << 30;

  private record Part(long offset, long length) {}

  private final Path path;
  private final FileChannel channel;
  private final MemorySegment bytes;
  private final Map<Part, WeakReference<Storage>> copies = new HashMap<>();
  private long copied;

  private MappedFile(Path path, FileChannel channel) throws IOException {
    this.path = path;
    this.channel = channel;
    this.bytes = channel.map(MapMode.READ_ONLY, 0, channel.size(), Arena.ofAuto());
  }

  /** Maps a file. */
  public static MappedFile open(Path path, LinkOption... options) throws IOException {
    Set<OpenOption> all = new HashSet<>(List.of(options));
    all.add(StandardOpenOption.READ);
    FileChannel channel = FileChannel.open(path, all);
    boolean done = false;
    try {
      MappedFile file = new MappedFile(path, channel);
      done = true;
      return file;
    } finally {
      if (!done) {
        channel.close();
      }
    }
  }

  /** All bytes of the file, read-only. */
  public MemorySegment bytes() {
    return bytes;
  }

  /** Whether a segment is a part of the mapping. */
  boolean holds(MemorySegment part) {
    return part.isNative()
        && part.address() >= bytes.address()
        && part.address() + part.byteSize() <= bytes.address() + bytes.byteSize();
  }

  /**
   * The copy of a part, which is made once while a tensor uses it.
   *
   * @param copy makes it
   * @throws MalformedFileException when so many parts overlap that their copies take more than the
   *     file
   */
  synchronized Storage copyOf(MemorySegment part, String where, Supplier<Storage> copy) {
    Part key = new Part(part.address() - bytes.address(), part.byteSize());
    WeakReference<Storage> known = copies.get(key);
    Storage used = known == null ? null : known.get();
    if (used != null) {
      return used;
    }
    if (known == null) {
      count(key.length(), where);
    }
    Storage made = copy.get();
    copies.put(key, new WeakReference<>(made));
    return made;
  }

  private void count(long length, String where) {
    if (length > bytes.byteSize() - copied) {
      throw TensorData.malformed(
          where,
          "overlaps with other tensors in the same file, so that copies of them take more than its "
              + bytes.byteSize()
              + " bytes\n  what to do: let each tensor have its own bytes, or the same as another"
              + " one");
    }
    copied += length;
  }

  /**
   * Copies a part of the mapping to native memory of the same size.
   *
   * @throws MalformedFileException when the file cannot be read any more
   */
  void copy(MemorySegment part, MemorySegment target) {
    try {
      read(part.address() - bytes.address(), target);
    } catch (ClosedChannelException e) {
      // An interrupt of a thread that reads closes the channel; the mapping stays.
      target.copyFrom(part);
    } catch (IOException e) {
      throw new MalformedFileException(
          ErrorKind.IO,
          "cannot read the elements of a tensor from "
              + path
              + ": "
              + e.getMessage()
              + "\n  what to do: leave the file as it is while the model is in use",
          e);
    }
  }

  private void read(long offset, MemorySegment target) throws IOException {
    long at = 0;
    while (at < target.byteSize()) {
      long size = Math.min(target.byteSize() - at, MOST_AT_ONCE);
      ByteBuffer buffer = target.asSlice(at, size).asByteBuffer();
      int read = channel.read(buffer, offset + at);
      if (read < 0) {
        throw new IOException("the file has become shorter");
      }
      at += read;
    }
  }
}
