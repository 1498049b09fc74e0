package org.relaxvm.interoprelay.translate.release;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocTensor;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocTensorReg;
import org.relaxvm.interoprelay.release.ReleasedInstruction.DeviceCopy;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetTag;
import org.relaxvm.interoprelay.release.ReleasedInstruction.LoadConst;
import org.relaxvm.interoprelay.release.ReleasedInstruction.LoadConsti;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Move;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ReshapeTensor;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ShapeOf;

/**
 * What is known of the registers of a released function without running it, whatever the order of
 * its instructions. A parameter has a definition that is not known.
 */
final class RegisterFacts {
  private final ReleasedExecutable executable;
  private final int params;
  private final Map<Integer, List<ReleasedInstruction>> definitions = new HashMap<>();
  private final BitSet usedAsValues = new BitSet();
  private final BitSet tensors;
  private final BitSet nonEmpty;

  RegisterFacts(ReleasedExecutable executable, ReleasedFunction function) {
    this.executable = executable;
    this.params = function.paramNames().size();
    for (ReleasedInstruction instruction : function.code()) {
      int dst = RegisterUses.definition(instruction);
      if (dst != ReleasedInstruction.NONE) {
        definitions.computeIfAbsent(dst, _ -> new ArrayList<>()).add(instruction);
      }
      RegisterUses.values(instruction).forEach(usedAsValues::set);
    }
    this.tensors = holding(RegisterFacts::makesTensor);
    this.nonEmpty = holding(RegisterFacts::makesElements);
  }

  /** Registers whose definitions all make values of a kind, or are moves of such registers. */
  private BitSet holding(Predicate<ReleasedInstruction> makes) {
    BitSet holding = new BitSet();
    definitions.keySet().stream().filter(register -> register >= params).forEach(holding::set);
    Map<Integer, List<Integer>> moved = new HashMap<>();
    List<Integer> failing = new ArrayList<>();
    definitions.forEach(
        (register, list) -> {
          for (ReleasedInstruction made : list) {
            if (made instanceof Move(int src, int _)) {
              moved.computeIfAbsent(src, _ -> new ArrayList<>()).add(register);
              if (!holding.get(src)) {
                failing.add(register);
              }
            } else if (!makes.test(made)) {
              failing.add(register);
            }
          }
        });
    while (!failing.isEmpty()) {
      int register = failing.removeLast();
      if (holding.get(register)) {
        holding.clear(register);
        failing.addAll(moved.getOrDefault(register, List.of()));
      }
    }
    return holding;
  }

  private static boolean makesTensor(ReleasedInstruction instruction) {
    return switch (instruction) {
      case AllocTensor _,
          AllocTensorReg _,
          ReshapeTensor _,
          ShapeOf _,
          DeviceCopy _,
          LoadConst _,
          LoadConsti _,
          GetTag _ ->
          true;
      default -> false;
    };
  }

  private static boolean makesElements(ReleasedInstruction instruction) {
    return instruction instanceof AllocTensor made && made.shape().elementCount() > 0;
  }

  /** Whether a register holds a tensor, or nothing. */
  boolean isTensor(int register) {
    return tensors.get(register);
  }

  /** Whether a register holds a tensor with elements, or nothing. */
  boolean hasElements(int register) {
    return nonEmpty.get(register);
  }

  /** Whether a register is only read as an integer: it need not hold a tensor. */
  boolean isOnlyInteger(int register) {
    return !usedAsValues.get(register);
  }

  private @Nullable ReleasedInstruction onlyDefinition(int register) {
    List<ReleasedInstruction> list = definitions.getOrDefault(register, List.of());
    return register >= params && list.size() == 1 ? list.getFirst() : null;
  }

  /** The integer that a register always holds, or null. */
  @Nullable Long integer(int register) {
    return switch (onlyDefinition(register)) {
      case LoadConsti(long value, int _) -> value;
      case LoadConst(int constant, int _, int _) -> element(executable.constants().get(constant));
      case null, default -> null;
    };
  }

  private static @Nullable Long element(ReleasedConstant constant) {
    return constant instanceof ReleasedConstant.Stored(Tensor tensor)
            && tensor.elementCount() == 1
            && tensor.dtype().isInteger()
            && tensor.dtype().lanes() == 1
            && tensor.dtype().bits() >= Byte.SIZE
        ? Long.valueOf(tensor.toLongArray()[0])
        : null;
  }

  /** Whether a register always holds a boolean tensor. */
  boolean isBoolean(int register) {
    return onlyDefinition(register) instanceof AllocTensor made && made.dtype().equals(DType.BOOL);
  }
}
