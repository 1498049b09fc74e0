package org.relaxvm.backendvulkan.kernels;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * The instructions of a module of SPIR-V. Numbers of instructions are those of the SPIR-V
 * specification, version 1.6. Immutable and thread-safe.
 */
public final class SpirvModule {
  /** The first word of each module. */
  private static final int MAGIC = 0x07230203;

  /** Words in front of the instructions. */
  private static final int HEADER = 5;

  private static final int CAPABILITY = 17;

  private final int[] words;
  private final List<Instruction> instructions;

  private SpirvModule(int[] words, List<Instruction> instructions) {
    this.words = words;
    this.instructions = List.copyOf(instructions);
  }

  /**
   * Takes a module apart.
   *
   * @param bytes little-endian
   * @throws InvalidProgramException when they are no module
   */
  public static SpirvModule of(byte[] bytes) {
    if (bytes.length % Integer.BYTES != 0 || bytes.length < HEADER * Integer.BYTES) {
      throw noModule("a size of whole words, and of at least 20 bytes", bytes.length + " bytes");
    }
    IntBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer();
    int[] words = new int[buffer.remaining()];
    buffer.get(words);
    if (words[0] != MAGIC) {
      throw noModule(
          "the first word 0x%08x".formatted(MAGIC), "the first word 0x%08x".formatted(words[0]));
    }
    List<Instruction> instructions = new ArrayList<>();
    for (int at = HEADER; at < words.length; ) {
      int size = words[at] >>> 16;
      if (size == 0 || size > words.length - at) {
        throw noModule(
            "an instruction of 1 to " + (words.length - at) + " words at word " + at,
            "one of " + size);
      }
      instructions.add(new Instruction(words, at, size));
      at += size;
    }
    return new SpirvModule(words, instructions);
  }

  private static InvalidProgramException noModule(String expected, String got) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "this is no module of SPIR-V\n  expected: "
            + expected
            + "\n  got: "
            + got
            + "\n  what to do: build the program again; a file of it may be cut off");
  }

  /** All instructions, in order. */
  public List<Instruction> instructions() {
    return instructions;
  }

  /** The words in front of the instructions. */
  int[] header() {
    return Arrays.copyOf(words, HEADER);
  }

  /**
   * Whether the module declares a capability.
   *
   * @param capability its number in SPIR-V
   */
  public boolean hasCapability(int capability) {
    return instructions.stream()
        .anyMatch(
            instruction ->
                instruction.opcode() == CAPABILITY && instruction.operand(0) == capability);
  }

  /** Writes words little-endian. */
  static byte[] bytes(int[] words, int count) {
    ByteBuffer buffer = ByteBuffer.allocate(count * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    buffer.asIntBuffer().put(words, 0, count);
    return buffer.array();
  }

  /** An instruction of a module. Immutable and thread-safe. */
  public static final class Instruction {
    private final int[] words;
    private final int at;
    private final int size;

    Instruction(int[] words, int at, int size) {
      this.words = words;
      this.at = at;
      this.size = size;
    }

    /** Its number in SPIR-V. */
    public int opcode() {
      return words[at] & 0xffff;
    }

    /** How many words follow the first. */
    public int operands() {
      return size - 1;
    }

    /** A word after the first, counted from 0. */
    public int operand(int number) {
      return words[at + 1 + number];
    }

    /** The text that starts at an operand: four bytes a word, with a zero after them. */
    public String text(int from) {
      ByteArrayOutputStream text = new ByteArrayOutputStream();
      for (int i = from * Integer.BYTES; i < operands() * Integer.BYTES; i++) {
        int character = (operand(i / Integer.BYTES) >>> (i % Integer.BYTES * Byte.SIZE)) & 0xFF;
        if (character == 0) {
          break;
        }
        text.write(character);
      }
      return text.toString(UTF_8);
    }

    /** All words of it. */
    int[] words() {
      return Arrays.copyOfRange(words, at, at + size);
    }
  }
}
