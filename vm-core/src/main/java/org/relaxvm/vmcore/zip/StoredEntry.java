package org.relaxvm.vmcore.zip;

import java.lang.foreign.MemorySegment;

/**
 * An entry of an archive whose extent was checked against the file.
 *
 * @param dataOffset of the first byte of the content in the file
 * @param crc32 as the directory says; not yet compared with the content
 * @param content read-only view of the archive
 */
public record StoredEntry(String name, long dataOffset, int crc32, MemorySegment content) {
  /** The size of the content. */
  public long byteSize() {
    return content.byteSize();
  }

  /** Whether the content has the checksum of the directory; reads all of it. */
  public boolean matchesCrc() {
    return Checksums.crc32(content) == crc32;
  }
}
