package org.relaxvm.backendcpu.jit.allocate;

import java.util.List;
import org.relaxvm.backendcpu.jit.lir.Type;

/**
 * The machine registers that virtual registers may be assigned to. Registers that code generation
 * needs for itself are not among them. Immutable.
 *
 * @param words numbers of general registers from 0 to 63, the preferred ones first
 * @param vectors numbers of vector registers
 * @param masks numbers of mask registers
 * @param hasMasks whether masks are in mask registers; otherwise they are in vector registers
 * @param vectorBytes the size of a vector register
 */
public record RegisterFile(
    List<Integer> words,
    List<Integer> vectors,
    List<Integer> masks,
    boolean hasMasks,
    int vectorBytes) {
  /** The size of a slot of the frame for a word or a mask. */
  public static final int WORD_BYTES = 8;

  /** Copies the lists. */
  public RegisterFile {
    words = List.copyOf(words);
    vectors = List.copyOf(vectors);
    masks = List.copyOf(masks);
  }

  /** The class of registers that hold values of a type. */
  public RegisterClass classOf(Type type) {
    return switch (type.kind()) {
      case WORD -> RegisterClass.WORD;
      case INT, FLOAT -> RegisterClass.VECTOR;
      case MASK -> hasMasks ? RegisterClass.MASK : RegisterClass.VECTOR;
    };
  }

  /** The registers of a class, the preferred ones first. */
  public List<Integer> registers(RegisterClass kind) {
    return switch (kind) {
      case WORD -> words;
      case VECTOR -> vectors;
      case MASK -> masks;
    };
  }

  /** The bytes of a slot of the frame. */
  int slotBytes(RegisterClass kind) {
    return kind == RegisterClass.VECTOR ? vectorBytes : WORD_BYTES;
  }
}
