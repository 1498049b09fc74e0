package org.relaxvm.machine.arm64;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An executable file for Linux on AArch64 with one segment, which is the code. */
final class ElfProgram {
  private static final int ADDRESS = 0x40_0000;
  private static final int HEADER = 64;
  private static final int PROGRAM_HEADER = 56;

  /** Where the code begins, in the file and after the address of the segment. */
  private static final int CODE = 128;

  private static final short EXECUTABLE = 2;
  private static final short AARCH64 = 183;
  private static final int LOAD = 1;
  private static final int READ_AND_EXECUTE = 5;

  private ElfProgram() {}

  /** The file; execution begins at the first byte of the code. */
  static byte[] of(byte[] code) {
    int size = CODE + code.length;
    ByteBuffer file = ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    // 64 bits, little-endian, version 1.
    file.put(new byte[] {0x7F, 'E', 'L', 'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    file.putShort(EXECUTABLE).putShort(AARCH64).putInt(1);
    file.putLong(ADDRESS + CODE).putLong(HEADER).putLong(0);
    file.putInt(0).putShort((short) HEADER).putShort((short) PROGRAM_HEADER).putShort((short) 1);
    file.putShort((short) 0).putShort((short) 0).putShort((short) 0);
    file.putInt(LOAD).putInt(READ_AND_EXECUTE);
    file.putLong(0).putLong(ADDRESS).putLong(ADDRESS).putLong(size).putLong(size).putLong(0x1_0000);
    file.position(CODE).put(code);
    return file.array();
  }
}
