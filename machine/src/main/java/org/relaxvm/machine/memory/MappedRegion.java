package org.relaxvm.machine.memory;

import java.lang.foreign.MemorySegment;

/**
 * A region of Linux or macOS. Where a memory file can be mapped twice, one view may be written and
 * the other executed; elsewhere pages are written first and executed then.
 *
 * @param reserved where the inaccessible page in front of the code begins
 * @param address where the code begins
 * @param byteSize bytes of code
 * @param writable where the code is written; equal to {@code address} for one view
 */
record MappedRegion(long reserved, long address, long byteSize, long writable) implements Region {

  /** Two views of one memory file. Linux only. */
  static MappedRegion ofTwoViews(long bytes, long pageSize) {
    int file = CLibrary.memoryFile(bytes);
    long reserved = 0;
    long writable = 0;
    try {
      writable = CLibrary.mmap(0, bytes, CLibrary.PROT_READ_WRITE, CLibrary.MAP_SHARED, file);
      reserved = reserve(bytes, pageSize);
      int flags = CLibrary.MAP_SHARED | CLibrary.MAP_FIXED;
      long address =
          CLibrary.mmap(reserved + pageSize, bytes, CLibrary.PROT_READ_EXECUTE, flags, file);
      return new MappedRegion(reserved, address, bytes, writable);
    } catch (CodeMemoryException e) {
      if (reserved != 0) {
        CLibrary.munmap(reserved, bytes + 2 * pageSize);
      }
      if (writable != 0) {
        CLibrary.munmap(writable, bytes);
      }
      throw e;
    } finally {
      CLibrary.close(file);
    }
  }

  /** One view, which is written once. */
  static MappedRegion ofOneView(long bytes, long pageSize) {
    long reserved = reserve(bytes, pageSize);
    try {
      long address = reserved + pageSize;
      CLibrary.mprotect(address, bytes, CLibrary.PROT_READ_WRITE);
      return new MappedRegion(reserved, address, bytes, address);
    } catch (CodeMemoryException e) {
      CLibrary.munmap(reserved, bytes + 2 * pageSize);
      throw e;
    }
  }

  private static long reserve(long bytes, long pageSize) {
    int flags = CLibrary.MAP_PRIVATE | CLibrary.MAP_ANONYMOUS;
    return CLibrary.mmap(0, bytes + 2 * pageSize, CLibrary.PROT_NONE, flags, -1);
  }

  @Override
  public boolean isAlwaysWritable() {
    return writable != address;
  }

  @Override
  @SuppressWarnings("restricted") // memory that was mapped with this size
  public void write(long offset, byte[] code) {
    MemorySegment.ofAddress(writable + offset)
        .reinterpret(code.length)
        .copyFrom(MemorySegment.ofArray(code));
    if (!isAlwaysWritable()) {
      CLibrary.mprotect(address, byteSize, CLibrary.PROT_READ_EXECUTE);
    }
  }

  @Override
  public void unmap() {
    long pageSize = address - reserved;
    CLibrary.munmap(reserved, byteSize + 2 * pageSize);
    if (isAlwaysWritable()) {
      CLibrary.munmap(writable, byteSize);
    }
  }
}
