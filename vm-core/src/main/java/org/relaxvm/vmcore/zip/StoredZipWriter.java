package org.relaxvm.vmcore.zip;

import static org.relaxvm.vmcore.zip.ZipLayout.MAX_16;
import static org.relaxvm.vmcore.zip.ZipLayout.MAX_32;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes a zip archive of stored entries, each starting at a multiple of 64 bytes. Equal entries in
 * equal order give equal bytes: time stamps are fixed. Sizes above 4 GiB use the zip64 fields.
 *
 * <p>Not thread-safe. The caller closes the channel.
 */
public final class StoredZipWriter {
  /** The alignment of every entry's content, in bytes. */
  public static final int ALIGNMENT = 64;

  private record Written(byte[] name, int crc32, long byteSize, long headerOffset) {}

  private final WritableByteChannel channel;
  private final long zip64From;
  private final List<Written> entries = new ArrayList<>();
  private long position;

  /** A writer that starts at the beginning of a file. */
  public StoredZipWriter(WritableByteChannel channel) {
    this(channel, MAX_32);
  }

  /** Uses zip64 fields for sizes and offsets from {@code zip64From} on. */
  StoredZipWriter(WritableByteChannel channel, long zip64From) {
    this.channel = channel;
    this.zip64From = zip64From;
  }

  /** Appends an entry. */
  public void add(String name, MemorySegment content) throws IOException {
    byte[] nameBytes = name.getBytes(StandardCharsets.UTF_8);
    long size = content.byteSize();
    boolean zip64 = size >= zip64From;
    Written entry = new Written(nameBytes, Checksums.crc32(content), size, position);
    int fixed = ZipLayout.LOCAL_BYTES + nameBytes.length + (zip64 ? 20 : 0) + 6;
    int padding = Math.floorMod(-(position + fixed), ALIGNMENT);
    ByteBuffer header = buffer(fixed + padding);
    header.putInt(ZipLayout.LOCAL_SIGNATURE);
    putCommon(header, entry, zip64);
    header.putShort((short) (fixed - ZipLayout.LOCAL_BYTES - nameBytes.length + padding));
    header.put(nameBytes);
    if (zip64) {
      header.putShort((short) ZipLayout.EXTRA_ZIP64).putShort((short) 16);
      header.putLong(size).putLong(size);
    }
    header.putShort((short) ZipLayout.EXTRA_ALIGNMENT).putShort((short) (2 + padding));
    header.putShort((short) ALIGNMENT);
    header.position(header.limit());
    write(header.flip());
    List<ByteBuffer> chunks = new ArrayList<>();
    Checksums.forEachChunk(content, chunks::add);
    for (ByteBuffer chunk : chunks) {
      write(chunk);
    }
    entries.add(entry);
  }

  /** Writes the directory; nothing can be added afterwards. */
  public void finish() throws IOException {
    long start = position;
    for (Written entry : entries) {
      writeCentral(entry);
    }
    long size = position - start;
    boolean zip64 = start >= zip64From || size >= zip64From || entries.size() >= MAX_16;
    if (zip64) {
      writeEnd64(start, size);
    }
    ByteBuffer end = buffer(ZipLayout.END_BYTES);
    end.putInt(ZipLayout.END_SIGNATURE).putInt(0);
    short count = (short) (zip64 ? MAX_16 : entries.size());
    end.putShort(count).putShort(count);
    end.putInt((int) (zip64 ? MAX_32 : size)).putInt((int) (zip64 ? MAX_32 : start));
    end.putShort((short) 0);
    write(end.flip());
  }

  private void writeCentral(Written entry) throws IOException {
    boolean zip64 = entry.byteSize() >= zip64From || entry.headerOffset() >= zip64From;
    int extra = zip64 ? 28 : 0;
    ByteBuffer header = buffer(ZipLayout.CENTRAL_BYTES + entry.name().length + extra);
    header.putInt(ZipLayout.CENTRAL_SIGNATURE).putShort((short) versionNeeded(zip64));
    putCommon(header, entry, zip64);
    header.putShort((short) extra);
    header.putShort((short) 0).putShort((short) 0).putShort((short) 0).putInt(0);
    header.putInt((int) (zip64 ? MAX_32 : entry.headerOffset()));
    header.put(entry.name());
    if (zip64) {
      header.putShort((short) ZipLayout.EXTRA_ZIP64).putShort((short) 24);
      header.putLong(entry.byteSize()).putLong(entry.byteSize()).putLong(entry.headerOffset());
    }
    write(header.flip());
  }

  private void writeEnd64(long start, long size) throws IOException {
    long end64 = position;
    ByteBuffer end = buffer(ZipLayout.END64_BYTES + ZipLayout.LOCATOR64_BYTES);
    end.putInt(ZipLayout.END64_SIGNATURE).putLong(ZipLayout.END64_BYTES - 12);
    end.putShort((short) 45).putShort((short) 45).putInt(0).putInt(0);
    end.putLong(entries.size()).putLong(entries.size()).putLong(size).putLong(start);
    end.putInt(ZipLayout.LOCATOR64_SIGNATURE).putInt(0).putLong(end64).putInt(1);
    write(end.flip());
  }

  /** The fields that local and central headers share, up to the name's length. */
  private static void putCommon(ByteBuffer header, Written entry, boolean zip64) {
    header.putShort((short) versionNeeded(zip64));
    header.putShort((short) ZipLayout.FLAG_UTF8).putShort((short) ZipLayout.METHOD_STORED);
    header.putShort((short) 0).putShort((short) ZipLayout.DOS_DATE);
    int size = (int) (zip64 ? MAX_32 : entry.byteSize());
    header.putInt(entry.crc32()).putInt(size).putInt(size);
    header.putShort((short) entry.name().length);
  }

  private static int versionNeeded(boolean zip64) {
    return zip64 ? 45 : 20;
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void write(ByteBuffer bytes) throws IOException {
    position += bytes.remaining();
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
  }
}
