package org.relaxvm.interoptvm.shim;

import java.nio.ByteBuffer;
import org.relaxvm.interoptvm.abi.FunctionHandles;

/** Machine code that goes on where a word of a table points to. */
enum ShimCode {
  /** System V ABI for 64-bit x86. */
  X86_64(62, 0x1000, 96, Integer.MAX_VALUE - 0x10_0000) {
    @Override
    void jump(ByteBuffer code, long distance) {
      // jmp *distance(%rip), counted from the next instruction
      code.put((byte) 0xFF).put((byte) 0x25).putInt((int) (distance - JUMP_BYTES));
    }

    @Override
    void returnIfSet(ByteBuffer code) {
      code.put(new byte[] {0x48, (byte) 0x83, 0x3F, 0x00}); // cmpq $0,(%rdi)
      code.put(new byte[] {0x74, 0x03}); // je over the return
      code.put(new byte[] {0x31, (byte) 0xC0}); // xor %eax,%eax
      code.put((byte) 0xC3); // ret
    }

    @Override
    void returnStackPointer(ByteBuffer code) {
      code.put(new byte[] {0x48, (byte) 0x89, (byte) 0xE0}); // mov %rsp,%rax
      code.put((byte) 0xC3); // ret
    }

    @Override
    void callOfNull(ByteBuffer code) {
      code.put(new byte[] {0x48, (byte) 0xB8})
          .putLong(FunctionHandles.OF_NULL); // mov $OF_NULL,%rax
      code.put(new byte[] {0x48, 0x31, (byte) 0xF8}); // xor %rdi,%rax
      code.put(new byte[] {0x48, (byte) 0xC1, (byte) 0xE8, 0x20}); // shr $32,%rax
      code.put(new byte[] {0x75, 0x0A}); // jne over the return
      code.put(new byte[] {0x48, (byte) 0x89, 0x01}); // mov %rax,(%rcx)
      code.put(new byte[] {0x48, (byte) 0x89, 0x41, 0x08}); // mov %rax,8(%rcx)
      code.put(new byte[] {0x31, (byte) 0xC0}); // xor %eax,%eax
      code.put((byte) 0xC3); // ret
    }

    @Override
    void readElement(ByteBuffer code) {
      X86Lists.readElement(code);
    }

    @Override
    void moveElement(ByteBuffer code) {
      X86Lists.moveElement(code);
    }

    @Override
    void resetElement(ByteBuffer code) {
      X86Lists.resetElement(code);
    }

    @Override
    void callWithin(ByteBuffer code) {
      code.put(new byte[] {0x48, (byte) 0x89, (byte) 0xE0}); // mov %rsp,%rax
      code.put(new byte[] {0x4C, 0x29, (byte) 0xC0}); // sub %r8,%rax
      code.put(new byte[] {0x4C, 0x39, (byte) 0xC8}); // cmp %r9,%rax
      code.put(new byte[] {0x73, 0x07}); // jae over the jump
      code.put(new byte[] {0x48, (byte) 0x89, (byte) 0xF8}); // mov %rdi,%rax
      code.put(new byte[] {0x31, (byte) 0xFF}); // xor %edi,%edi
      code.put(new byte[] {(byte) 0xFF, (byte) 0xE0}); // jmp *%rax
      code.put((byte) 0xB8).putInt(ElfShim.REFUSED); // mov $REFUSED,%eax
      code.put(new byte[] {(byte) 0x89, 0x01}); // mov %eax,(%rcx)
      code.put((byte) 0xC3); // ret
    }

    @Override
    void fill(ByteBuffer code, int end) {
      while (code.position() < end) {
        code.put((byte) 0xCC); // int3
      }
    }
  },

  /** Procedure Call Standard for the 64-bit ARM architecture. */
  AARCH64(183, 0x1_0000, 64, 0xF_0000) {
    @Override
    void jump(ByteBuffer code, long distance) {
      code.putInt(0x5800_0010 | (int) (distance / Integer.BYTES) << 5); // ldr x16, distance
      code.putInt(0xD61F_0200); // br x16
    }

    @Override
    void returnIfSet(ByteBuffer code) {
      code.putInt(0xC8DF_FC09); // ldar x9, [x0]
      code.putInt(0xB400_0069); // cbz x9 over the return
      code.putInt(0x5280_0000); // mov w0, #0
      code.putInt(0xD65F_03C0); // ret
    }

    @Override
    void returnStackPointer(ByteBuffer code) {
      code.putInt(0x9100_03E0); // mov x0, sp
      code.putInt(0xD65F_03C0); // ret
    }

    @Override
    void callOfNull(ByteBuffer code) {}

    @Override
    void readElement(ByteBuffer code) {}

    @Override
    void moveElement(ByteBuffer code) {}

    @Override
    void resetElement(ByteBuffer code) {}

    @Override
    void callWithin(ByteBuffer code) {
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

    @Override
    void fill(ByteBuffer code, int end) {
      while (code.position() < end) {
        code.putInt(0); // udf #0
      }
    }
  };

  private static final int JUMP_BYTES = 6;

  private final int machine;
  private final int align;
  private final int stride;
  private final int reach;

  ShimCode(int machine, int align, int stride, int reach) {
    this.machine = machine;
    this.align = align;
    this.stride = stride;
    this.reach = reach;
  }

  /** The machine's number in ELF. */
  int machine() {
    return machine;
  }

  /** The largest page of such machines. */
  int align() {
    return align;
  }

  /** How far apart functions begin. */
  int stride() {
    return stride;
  }

  /** How far the table may be from the code that uses it. */
  int reach() {
    return reach;
  }

  /**
   * Jumps to where a word of the table points.
   *
   * @param distance from this instruction to the word
   */
  abstract void jump(ByteBuffer code, long distance);

  /**
   * Returns 0 if the first argument points to a word that is not 0, read before all that follows.
   */
  abstract void returnIfSet(ByteBuffer code);

  /** Returns where the stack ends. */
  abstract void returnStackPointer(ByteBuffer code);

  /**
   * Writes an empty cell to the fourth argument and returns 0 if the first one is a handle that
   * begins with {@link FunctionHandles#OF_NULL}; goes on after this code otherwise.
   */
  abstract void callOfNull(ByteBuffer code);

  /**
   * Copies an element of a list of {@link org.relaxvm.interoptvm.abi.ListCells} to an argument and
   * returns 0, or goes on after this code where the list has no such element.
   */
  abstract void readElement(ByteBuffer code);

  /**
   * Moves a result into a list and returns 0, or goes on after this code where Java has to do it.
   */
  abstract void moveElement(ByteBuffer code);

  /** Clears an element of a list and returns 0, or goes on after this code as above. */
  abstract void resetElement(ByteBuffer code);

  /**
   * Jumps to the address in the first argument, with 0 in its place, if the stack ends within the
   * range that the fifth and sixth arguments give as start and length. Otherwise writes {@link
   * ElfShim#REFUSED} where the fourth argument points and returns it.
   */
  abstract void callWithin(ByteBuffer code);

  /** Fills the space after a function with what cannot be run. */
  abstract void fill(ByteBuffer code, int end);
}
