package org.relaxvm.builtins.params;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.AtomicFile;

/**
 * Shares tensors out to shards and writes them (docs/spec/builtins.md, section 11). A shard is
 * written when it is full, straight from its tensors.
 *
 * <p>Rationale: docs/rationale/builtins.md, "Why does the writer leave no gaps between tensors?"
 */
final class ShardWriter {
  /** Bytes that a shard of several tensors stays below. */
  static final long CAP = 32L << 20;

  private static final int CHUNK = 1 << 20;
  private static final ValueLayout.OfFloat FLOAT =
      ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final Path folder;
  private final String format;
  private final long cap;
  private final List<WrittenShard> written = new ArrayList<>();
  private final List<Entry> pending = new ArrayList<>();
  private long pendingBytes;

  /** A writer into a folder whose records all carry one format. */
  ShardWriter(Path folder, String format, long cap) {
    this.folder = folder;
    this.format = format;
    this.cap = cap;
  }

  private record Entry(TensorRecord record, Tensor tensor) {}

  /** Adds a tensor, borrowed until {@link #finish}. */
  void add(String name, Tensor tensor) {
    long size = entry(name, tensor, 0, 0).record().storedByteSize();
    if (pendingBytes + size >= cap) {
      if (2 * size >= cap) {
        write(List.of(entry(name, tensor, size, 0)), size);
        return;
      }
      writePending();
    }
    pending.add(entry(name, tensor, size, pendingBytes));
    pendingBytes += size;
  }

  /** Writes what is left; all shards in the order of their numbers. */
  List<WrittenShard> finish() {
    if (!pending.isEmpty()) {
      writePending();
    }
    return written;
  }

  private Entry entry(String name, Tensor tensor, long size, long offset) {
    return new Entry(
        new TensorRecord(name, tensor.dtype(), tensor.shape(), format, size, offset), tensor);
  }

  private void writePending() {
    write(List.copyOf(pending), pendingBytes);
    pending.clear();
    pendingBytes = 0;
  }

  private void write(List<Entry> entries, long size) {
    String name = "params_shard_" + written.size() + ".bin";
    MessageDigest md5 = md5();
    AtomicFile.write(
        folder.resolve(name),
        channel -> {
          for (Entry entry : entries) {
            write(entry, channel, md5);
          }
        });
    List<TensorRecord> records = entries.stream().map(Entry::record).toList();
    written.add(
        new WrittenShard(
            new ShardRecord(name, ShardRecord.RAW, size, records),
            HexFormat.of().formatHex(md5.digest())));
  }

  private static void write(Entry entry, FileChannel channel, MessageDigest md5)
      throws IOException {
    Tensor tensor = entry.tensor();
    boolean plain = tensor.device().isHost() && tensor.isContiguous();
    Tensor compact = plain ? tensor : tensor.toHost();
    MemorySegment bytes = compact.segment();
    for (long at = 0; at < bytes.byteSize(); at += CHUNK) {
      MemorySegment chunk = bytes.asSlice(at, Math.min(CHUNK, bytes.byteSize() - at));
      ByteBuffer stored = entry.record().isHalved() ? halved(chunk) : chunk.asByteBuffer();
      md5.update(stored.duplicate());
      while (stored.hasRemaining()) {
        channel.write(stored);
      }
    }
    if (!plain) {
      compact.close();
    }
  }

  private static ByteBuffer halved(MemorySegment floats) {
    int count = (int) (floats.byteSize() / Float.BYTES);
    ByteBuffer halves = ByteBuffer.allocate(count * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      halves.putShort(Bfloat16.of(floats.get(FLOAT, (long) i * Float.BYTES)));
    }
    return halves.flip();
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java platform has MD5", e);
    }
  }
}
