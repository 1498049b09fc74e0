package org.relaxvm.machine.memory;

/** Pages that hold code, between inaccessible pages. Not thread-safe. */
interface Region {
  /** The address of its first byte that may be executed. */
  long address();

  /** Its size, a multiple of the size of a page. */
  long byteSize();

  /** Whether {@link #write} may be called again while code of the region runs. */
  boolean isAlwaysWritable();

  /** Copies code into the region and makes it visible to the processor. */
  void write(long offset, byte[] code);

  /** Unmaps all. The region must not be used any more. */
  void unmap();
}
