package org.relaxvm.interoptvm.shim;

import java.nio.ByteBuffer;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.ListCells;
import org.relaxvm.interoptvm.abi.TypeIndex;

/**
 * 64-bit x86 code of the functions that compiled code reads and writes registers with. Their
 * arguments are a list in {@code %rdi}, an index in {@code %esi}, cells in {@code %rdx} and the
 * index of one of them in {@code %ecx}. Each ends with a return of 0, and goes on after it where
 * Java is needed.
 *
 * <p>Source: docs/spec/native-library.md, section 6.4.
 */
final class X86Lists {
  private static final int JUMP_IF_ZERO = 0x74;
  private static final int JUMP_IF_NOT_BELOW = 0x73;
  private static final int JUMP_IF_NOT_ABOVE = 0x76;
  private static final int JUMP_IF_BELOW = 0x72;
  private static final int JUMP_IF_NOT_EQUAL = 0x75;

  private final ByteBuffer code;
  private final int[] exits = new int[8];
  private int exitCount;

  private X86Lists(ByteBuffer code) {
    this.code = code;
  }

  static void readElement(ByteBuffer code) {
    X86Lists lists = new X86Lists(code);
    lists.checkIndex(ListCells.COUNT);
    lists.put(0x89, 0xF0); // mov %esi,%eax
    lists.put(0x48, 0xC1, 0xE0, 0x04); // shl $4,%rax
    lists.put(0x0F, 0x10, 0x04, 0x07); // movups (%rdi,%rax),%xmm0
    lists.put(0x48, 0x63, 0xC9); // movslq %ecx,%rcx
    lists.put(0x48, 0xC1, 0xE1, 0x04); // shl $4,%rcx
    lists.put(0x0F, 0x11, 0x04, 0x0A); // movups %xmm0,(%rdx,%rcx)
    lists.returnZero();
  }

  static void moveElement(ByteBuffer code) {
    X86Lists lists = new X86Lists(code);
    lists.checkIndex(ListCells.WRITABLE);
    lists.cellToReplace();
    lists.put(0x4C, 0x63, 0xC1); // movslq %ecx,%r8
    lists.put(0x49, 0xC1, 0xE0, 0x04); // shl $4,%r8
    lists.put(0x49, 0x01, 0xD0); // add %rdx,%r8
    lists.put(0x45, 0x8B, 0x08); // mov (%r8),%r9d
    lists.put(0x41, 0x83, 0xF9, TypeIndex.DEVICE); // cmp $DEVICE,%r9d
    int store = lists.jump(JUMP_IF_NOT_ABOVE);
    lists.put(0x41, 0x83, 0xF9, TypeIndex.OBJECT); // cmp $OBJECT,%r9d
    lists.exit(JUMP_IF_BELOW);
    lists.put(0x41, 0x81, 0x78, 0x04); // cmpl $OWNED,4(%r8)
    code.putInt(Cell.OWNED);
    lists.exit(JUMP_IF_NOT_EQUAL);
    lists.land(store);
    lists.put(0x4D, 0x8B, 0x50, 0x08); // mov 8(%r8),%r10
    lists.put(0x4C, 0x89, 0x08); // mov %r9,(%rax)
    lists.put(0x4C, 0x89, 0x50, 0x08); // mov %r10,8(%rax)
    lists.put(0x49, 0xC7, 0x00, 0, 0, 0, 0); // movq $0,(%r8)
    lists.returnZero();
  }

  static void resetElement(ByteBuffer code) {
    X86Lists lists = new X86Lists(code);
    lists.checkIndex(ListCells.WRITABLE);
    lists.cellToReplace();
    lists.put(0x31, 0xC9); // xor %ecx,%ecx
    lists.put(0x48, 0x89, 0x08); // mov %rcx,(%rax)
    lists.put(0x48, 0x89, 0x48, 0x08); // mov %rcx,8(%rax)
    lists.returnZero();
  }

  /** Exits without a list, and where the index is not below a number before the first cell. */
  private void checkIndex(int limit) {
    put(0x48, 0x85, 0xFF); // test %rdi,%rdi
    exit(JUMP_IF_ZERO);
    put(0x3B, 0x77, limit & 0xFF); // cmp limit(%rdi),%esi
    exit(JUMP_IF_NOT_BELOW);
  }

  /** The address of the element in {@code %rax}; exits where it holds an object. */
  private void cellToReplace() {
    put(0x89, 0xF0); // mov %esi,%eax
    put(0x48, 0xC1, 0xE0, 0x04); // shl $4,%rax
    put(0x48, 0x01, 0xF8); // add %rdi,%rax
    put(0x83, 0x38, TypeIndex.OBJECT); // cmpl $OBJECT,(%rax)
    exit(JUMP_IF_NOT_BELOW);
  }

  private void returnZero() {
    put(0x31, 0xC0); // xor %eax,%eax
    put(0xC3); // ret
    for (int i = 0; i < exitCount; i++) {
      land(exits[i]);
    }
  }

  private void exit(int condition) {
    exits[exitCount++] = jump(condition);
  }

  /** A short jump whose target is not known yet; returns where it is. */
  private int jump(int condition) {
    put(condition, 0);
    return code.position();
  }

  /** Lets a jump go on here. */
  private void land(int jump) {
    code.put(jump - 1, (byte) (code.position() - jump));
  }

  private void put(int... bytes) {
    for (int value : bytes) {
      code.put((byte) value);
    }
  }
}
