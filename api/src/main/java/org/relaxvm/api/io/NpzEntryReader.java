package org.relaxvm.api.io;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.relaxvm.api.Tensor;

/**
 * Reads the arrays of one archive. Nothing is believed of an entry's size: memory is taken only for
 * what the entry's compressed bytes can amount to, and within the limit.
 */
final class NpzEntryReader {
  // Deflate makes no more than 1032 bytes of one; the remainder is for entries of a few bytes.
  private static final long MAX_RATIO = 1032;
  private static final long SLACK = 1 << 16;
  private static final int CHUNK = 1 << 16;

  private final Path file;
  private final long maxBytes;
  private long bytesRead;

  NpzEntryReader(Path file, long maxBytes) {
    this.file = file;
    this.maxBytes = maxBytes;
  }

  Tensor read(ZipFile zip, ZipEntry entry) throws IOException {
    NpySource where = new NpySource(file + "!/" + entry.getName());
    long size = checkedSize(entry, where);
    try (CheckedInputStream in = new CheckedInputStream(zip.getInputStream(entry), new CRC32())) {
      Tensor tensor = read(in, size, where);
      if (in.read() >= 0) {
        throw where.malformed(
            "it has more than the "
                + size
                + " bytes that the archive says; the archive is damaged");
      }
      if (in.getChecksum().getValue() != entry.getCrc()) {
        throw where.malformed("its checksum does not match; the archive is damaged");
      }
      return tensor;
    } catch (ZipException | EOFException e) {
      throw where.malformed(
          "it cannot be unpacked: " + e.getMessage() + "; the archive is damaged");
    }
  }

  private static Tensor read(InputStream in, long size, NpySource where) throws IOException {
    // Enough for every header; what follows it is copied from here, the remainder straight from the
    // zip.
    byte[] front = new byte[(int) Math.min(size, NpyHeader.MAX_BYTES)];
    fill(MemorySegment.ofArray(front), in);
    MemorySegment head = MemorySegment.ofArray(front);
    NpyHeader header = NpyHeader.parse(head, where);
    return NpyData.read(
        header,
        null,
        size - header.dataOffset(),
        where,
        target -> {
          long early = Math.min(target.byteSize(), front.length - header.dataOffset());
          MemorySegment.copy(head, header.dataOffset(), target, 0, early);
          fill(target.asSlice(early), in);
        });
  }

  private long checkedSize(ZipEntry entry, NpySource where) {
    long size = entry.getSize();
    long compressed = Math.min(entry.getCompressedSize(), file.toFile().length());
    if (size < 0 || size > SLACK + compressed * MAX_RATIO) {
      throw where.malformed(
          "the archive says that "
              + entry.getCompressedSize()
              + " compressed bytes make "
              + size
              + ", which cannot be; the archive is damaged");
    }
    if (size > maxBytes - bytesRead) {
      throw where.unsupported(
          "it has "
              + size
              + " bytes, "
              + bytesRead
              + " were read before, and the limit is "
              + maxBytes
              + "; allow more if the archive is to be trusted");
    }
    bytesRead += size;
    return size;
  }

  private static void fill(MemorySegment target, InputStream in) throws IOException {
    byte[] chunk = new byte[(int) Math.min(CHUNK, target.byteSize())];
    long at = 0;
    while (at < target.byteSize()) {
      int length = in.read(chunk, 0, (int) Math.min(chunk.length, target.byteSize() - at));
      if (length < 0) {
        throw new EOFException("it ends early");
      }
      MemorySegment.copy(chunk, 0, target, ValueLayout.JAVA_BYTE, at, length);
      at += length;
    }
  }
}
