package org.relaxvm.backendvulkan.kernels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.relaxvm.backendvulkan.kernels.SpirvModule.Instruction;
import org.relaxvm.backendvulkan.kernels.SpirvTarget.FloatControls;

/**
 * Makes a shader compute with floats as it is written: every result is rounded by itself, and what
 * the device promises of special values, rounding and denormals is asked for.
 *
 * <p>Numbers are those of the SPIR-V specification, version 1.6.
 */
final class ExactFloats {
  private static final int OP_ENTRY_POINT = 15;
  private static final int OP_EXECUTION_MODE = 16;
  private static final int OP_CAPABILITY = 17;
  private static final int OP_DECORATE = 71;
  private static final int NO_CONTRACTION = 42;
  private static final int CAPABILITY_FLOAT64 = 10;

  /** FNegate, FAdd, FSub, FMul, FDiv, FRem, FMod. */
  private static final Set<Integer> ARITHMETIC = Set.of(127, 129, 131, 133, 136, 140, 141);

  /**
   * What may stand in front of the first declaration: capabilities, extensions, imports, the memory
   * model, entry points, execution modes, debug information and decorations.
   */
  private static final Set<Integer> PREAMBLE =
      Set.of(
          2, 3, 4, 5, 6, 7, 10, 11, 14, 15, 16, 17, 71, 72, 73, 74, 75, 330, 331, 332, 5632, 5633);

  private final SpirvModule module;
  private final SpirvTarget target;
  private final Words out = new Words();

  private ExactFloats(SpirvModule module, SpirvTarget target) {
    this.module = module;
    this.target = target;
  }

  /** The same shader with exact floats, little-endian. */
  static byte[] in(SpirvModule module, SpirvTarget target) {
    return new ExactFloats(module, target).rewrite();
  }

  private byte[] rewrite() {
    List<Mode> modes = modes();
    out.add(module.header());
    modes.stream()
        .map(mode -> mode.kind().capability)
        .distinct()
        .filter(capability -> !module.hasCapability(capability))
        .forEach(capability -> out.instruction(OP_CAPABILITY, capability));
    List<Instruction> instructions = module.instructions();
    int first = firstDeclaration(instructions);
    for (int i = 0; i < instructions.size(); i++) {
      if (i == first) {
        decorate();
      }
      Instruction instruction = instructions.get(i);
      out.add(instruction.words());
      if (instruction.opcode() == OP_ENTRY_POINT) {
        int entryPoint = instruction.operand(1);
        // All modes follow all entry points: shaders of ours have one.
        modes.forEach(
            mode -> out.instruction(OP_EXECUTION_MODE, entryPoint, mode.kind().mode, mode.bits()));
      }
    }
    return out.bytes();
  }

  private static int firstDeclaration(List<Instruction> instructions) {
    int first = 0;
    while (first < instructions.size() && PREAMBLE.contains(instructions.get(first).opcode())) {
      first++;
    }
    return first;
  }

  /** Forbids to round the results of two operations once. */
  private void decorate() {
    Set<Integer> decorated = new HashSet<>();
    for (Instruction instruction : module.instructions()) {
      if (instruction.opcode() == OP_DECORATE && instruction.operand(1) == NO_CONTRACTION) {
        decorated.add(instruction.operand(0));
      }
    }
    for (Instruction instruction : module.instructions()) {
      if (ARITHMETIC.contains(instruction.opcode()) && decorated.add(instruction.operand(1))) {
        out.instruction(OP_DECORATE, instruction.operand(1), NO_CONTRACTION);
      }
    }
  }

  private List<Mode> modes() {
    List<Mode> modes = new ArrayList<>();
    addModes(modes, 32, target.float32());
    if (module.hasCapability(CAPABILITY_FLOAT64)) {
      addModes(modes, 64, target.float64());
    }
    return modes;
  }

  private static void addModes(List<Mode> modes, int bits, FloatControls controls) {
    if (controls.keepsDenormals()) {
      modes.add(new Mode(Kind.DENORMALS, bits));
    }
    if (controls.keepsSpecialValues()) {
      modes.add(new Mode(Kind.SPECIAL_VALUES, bits));
    }
    if (controls.roundsToNearest()) {
      modes.add(new Mode(Kind.NEAREST, bits));
    }
  }

  private record Mode(Kind kind, int bits) {}

  private enum Kind {
    /** DenormPreserve. */
    DENORMALS(4464, 4459),
    /** SignedZeroInfNanPreserve. */
    SPECIAL_VALUES(4466, 4461),
    /** RoundingModeRTE. */
    NEAREST(4467, 4462);

    private final int capability;
    private final int mode;

    Kind(int capability, int mode) {
      this.capability = capability;
      this.mode = mode;
    }
  }

  /** Words that are put after each other. */
  private static final class Words {
    private int[] words = new int[1024];
    private int count;

    void add(int... more) {
      if (count + more.length > words.length) {
        words = Arrays.copyOf(words, Math.max(2 * words.length, count + more.length));
      }
      System.arraycopy(more, 0, words, count, more.length);
      count += more.length;
    }

    void instruction(int opcode, int... operands) {
      add((operands.length + 1) << 16 | opcode);
      add(operands);
    }

    byte[] bytes() {
      return SpirvModule.bytes(words, count);
    }
  }
}
