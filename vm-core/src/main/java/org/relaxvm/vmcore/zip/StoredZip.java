package org.relaxvm.vmcore.zip;

import static org.relaxvm.vmcore.zip.ZipLayout.MAX_16;
import static org.relaxvm.vmcore.zip.ZipLayout.MAX_32;
import static org.relaxvm.vmcore.zip.ZipLayout.U16;
import static org.relaxvm.vmcore.zip.ZipLayout.U32;
import static org.relaxvm.vmcore.zip.ZipLayout.U64;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/**
 * Reads the directory of an archive that holds stored entries only. Nothing is trusted: every
 * header and extent is checked against the file, directory and local headers must agree, extents
 * must not overlap, names must be plain relative paths and unique.
 */
public final class StoredZip {
  private final String file;
  private final MemorySegment bytes;
  private final SequencedMap<String, StoredEntry> entries = new LinkedHashMap<>();

  private StoredZip(String file, MemorySegment bytes) {
    this.file = file;
    this.bytes = bytes.asReadOnly();
  }

  /**
   * Reads the directory; no entry's content is touched.
   *
   * @param file the file's name in messages
   * @param bytes the whole file
   * @return the entries by name, in the order of the directory
   * @throws MalformedFileException when the archive is damaged or has what this class refuses
   */
  public static SequencedMap<String, StoredEntry> read(String file, MemorySegment bytes) {
    StoredZip zip = new StoredZip(file, bytes);
    zip.readDirectory();
    return Collections.unmodifiableSequencedMap(zip.entries);
  }

  /** Where the central directory lies. */
  private record Directory(long start, long end, long count) {}

  private void readDirectory() {
    Directory directory = locate();
    List<long[]> extents = new ArrayList<>();
    long at = directory.start();
    for (long i = 0; i < directory.count(); i++) {
      at = readEntry(at, directory, extents);
    }
    if (at != directory.end()) {
      throw damaged("its directory has bytes after the last entry");
    }
    extents.sort((a, b) -> Long.compare(a[0], b[0]));
    for (int i = 1; i < extents.size(); i++) {
      if (extents.get(i)[0] < extents.get(i - 1)[1]) {
        throw damaged("two entries overlap at byte " + extents.get(i)[0]);
      }
    }
  }

  private Directory locate() {
    long end = bytes.byteSize() - ZipLayout.END_BYTES;
    boolean found = end >= 0 && u32(end) == ZipLayout.END_SIGNATURE && u16(end + 20) == 0;
    if (!found) {
      throw damaged(
          "it does not end with a zip directory, so it is truncated or something was appended");
    }
    long count = u16(end + 10);
    long size = u32(end + 12) & MAX_32;
    long start = u32(end + 16) & MAX_32;
    long directoryEnd = end;
    if (count == MAX_16 || size == MAX_32 || start == MAX_32) {
      directoryEnd = end - ZipLayout.LOCATOR64_BYTES - ZipLayout.END64_BYTES;
      boolean located =
          directoryEnd >= 0
              && u32(directoryEnd) == ZipLayout.END64_SIGNATURE
              && u32(end - ZipLayout.LOCATOR64_BYTES) == ZipLayout.LOCATOR64_SIGNATURE
              && bytes.get(U64, end - ZipLayout.LOCATOR64_BYTES + 8) == directoryEnd;
      if (!located) {
        throw damaged("its zip64 directory record is missing");
      }
      count = bytes.get(U64, directoryEnd + 32);
      size = bytes.get(U64, directoryEnd + 40);
      start = bytes.get(U64, directoryEnd + 48);
    }
    boolean plausible =
        start >= 0
            && size >= 0
            && start <= directoryEnd
            && size == directoryEnd - start
            && count >= 0
            && count <= size / ZipLayout.CENTRAL_BYTES;
    if (!plausible) {
      throw damaged("its directory does not lie between the entries and the end of the file");
    }
    return new Directory(start, directoryEnd, count);
  }

  private long readEntry(long at, Directory directory, List<long[]> extents) {
    if (directory.end() - at < ZipLayout.CENTRAL_BYTES || u32(at) != ZipLayout.CENTRAL_SIGNATURE) {
      throw damaged("its directory has no entry at byte " + at);
    }
    int nameLength = u16(at + 28);
    int extraLength = u16(at + 30);
    long next = at + ZipLayout.CENTRAL_BYTES + nameLength + extraLength + u16(at + 32);
    if (next > directory.end()) {
      throw damaged("the directory entry at byte " + at + " reaches past the directory");
    }
    String name = EntryNames.decode(file, bytes, at + ZipLayout.CENTRAL_BYTES, nameLength);
    checkStored(name, u16(at + 8), u16(at + 10));
    long stored = u32(at + 20) & MAX_32;
    long size = u32(at + 24) & MAX_32;
    long header = u32(at + 42) & MAX_32;
    if (stored == MAX_32 || size == MAX_32 || header == MAX_32) {
      long extra = at + ZipLayout.CENTRAL_BYTES + nameLength;
      boolean found =
          extraLength >= 28
              && u16(extra) == ZipLayout.EXTRA_ZIP64
              && u16(extra + 2) == 24
              && stored == MAX_32
              && size == MAX_32
              && header == MAX_32;
      if (!found) {
        throw damaged("entry '" + name + "' has no complete zip64 field");
      }
      size = bytes.get(U64, extra + 4);
      stored = bytes.get(U64, extra + 12);
      header = bytes.get(U64, extra + 20);
    }
    if (stored != size) {
      throw damaged("entry '" + name + "' has two sizes: " + stored + " and " + size);
    }
    long data = checkLocal(name, header, at, directory.start());
    if (size < 0 || size > directory.start() - data) {
      throw damaged("entry '" + name + "' reaches past the start of the directory");
    }
    StoredEntry entry = new StoredEntry(name, data, u32(at + 16), bytes.asSlice(data, size));
    if (entries.putLast(name, entry) != null) {
      throw damaged("it has two entries named '" + name + "'");
    }
    extents.add(new long[] {header, data + size});
    return next;
  }

  /** Returns the offset of the content, after comparing the local header with the directory. */
  private long checkLocal(String name, long header, long central, long limit) {
    if (header < 0 || header > limit - ZipLayout.LOCAL_BYTES) {
      throw damaged("entry '" + name + "' starts outside of the file");
    }
    int nameLength = u16(header + 26);
    long data = header + ZipLayout.LOCAL_BYTES + nameLength + u16(header + 28);
    boolean agrees =
        u32(header) == ZipLayout.LOCAL_SIGNATURE
            && u16(header + 6) == u16(central + 8)
            && u16(header + 8) == u16(central + 10)
            && u32(header + 14) == u32(central + 16)
            && u32(header + 18) == u32(header + 22)
            && sizesAgree(u32(header + 22), u32(central + 24))
            && nameLength == u16(central + 28)
            && data <= limit
            && bytes
                    .asSlice(header + ZipLayout.LOCAL_BYTES, nameLength)
                    .mismatch(bytes.asSlice(central + ZipLayout.CENTRAL_BYTES, nameLength))
                == -1;
    if (!agrees) {
      throw damaged("the header of entry '" + name + "' differs from the directory");
    }
    return data;
  }

  private static boolean sizesAgree(int local, int central) {
    // A directory entry also has zip64 fields when only its offset is large.
    return local == central || central == -1;
  }

  private void checkStored(String name, int flags, int method) {
    if (method != ZipLayout.METHOD_STORED) {
      throw refused(
          "entry '"
              + name
              + "' is compressed (method "
              + method
              + "), but only stored entries can"
              + " be mapped");
    }
    if ((flags & ~ZipLayout.FLAG_UTF8) != 0) {
      throw refused(
          "entry '"
              + name
              + "' has zip flags 0x"
              + Integer.toHexString(flags)
              + " (encrypted, or sizes after the content), but only plain entries are read");
    }
  }

  private int u16(long offset) {
    return bytes.get(U16, offset) & 0xFFFF;
  }

  private int u32(long offset) {
    return bytes.get(U32, offset);
  }

  private MalformedFileException damaged(String what) {
    return new MalformedFileException(
        ErrorKind.VALUE, file + " is damaged: " + what + "; get or write the file again");
  }

  private MalformedFileException refused(String what) {
    return new MalformedFileException(
        ErrorKind.VALUE, file + ": " + what + "; write the package with RelaxVM");
  }
}
