package org.relaxvm.interoptvm.shim;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * Code of a shim for aarch64. The functions that read and write registers of compiled code are left
 * to Java.
 */
final class Arm64ShimCode {
  private static final int WORD = 8;

  private final ByteBuffer code;

  private Arm64ShimCode(ByteBuffer code) {
    this.code = code;
  }

  /** As {@link ShimCode#write}. The table is less than 1 MiB from each function. */
  static byte[] write(List<String> functions, int table) {
    int stride = ShimCode.AARCH64.stride();
    ByteBuffer bytes = ByteBuffer.allocate(stride * functions.size());
    Arm64ShimCode code = new Arm64ShimCode(bytes.order(ByteOrder.LITTLE_ENDIAN));
    for (int i = 0; i < functions.size(); i++) {
      // What is not written is 0, which is udf #0.
      bytes.position(i * stride);
      switch (functions.get(i)) {
        case ElfShim.STACK_POINTER -> code.returnStackPointer();
        case ElfShim.CALL_WITHIN -> code.callWithin();
        case RuntimeSymbols.INIT_ONCE -> {
          code.returnIfSet();
          code.jump(table + i * WORD);
        }
        default -> code.jump(table + i * WORD);
      }
    }
    return bytes.array();
  }

  private void jump(int word) {
    int words = (word - code.position()) / Integer.BYTES;
    code.putInt(0x5800_0010 | words << 5); // ldr x16, words
    code.putInt(0xD61F_0200); // br x16
  }

  /** Returns 0 if the first argument points to a word that is not 0, read with acquire order. */
  private void returnIfSet() {
    code.putInt(0xC8DF_FC09); // ldar x9, [x0]
    code.putInt(0xB400_0069); // cbz x9 over the return
    code.putInt(0x5280_0000); // mov w0, #0
    code.putInt(0xD65F_03C0); // ret
  }

  private void returnStackPointer() {
    code.putInt(0x9100_03E0); // mov x0, sp
    code.putInt(0xD65F_03C0); // ret
  }

  /** As {@link ElfShim#CALL_WITHIN} describes. */
  private void callWithin() {
    code.putInt(0x9100_03E9); // mov x9, sp
    code.putInt(0xCB04_0129); // sub x9, x9, x4
    code.putInt(0xEB05_013F); // cmp x9, x5
    code.putInt(0x5400_0082); // b.hs over the jump
    code.putInt(0xAA00_03F0); // mov x16, x0
    code.putInt(0xD280_0000); // mov x0, #0
    code.putInt(0xD61F_0200); // br x16
    code.putInt(0x52A0_0000 | ElfShim.REFUSED >>> 16 << 5); // mov w0, #REFUSED
    code.putInt(0xB900_0060); // str w0, [x3]
    code.putInt(0xD65F_03C0); // ret
  }
}
