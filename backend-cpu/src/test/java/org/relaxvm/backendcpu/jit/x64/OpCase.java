package org.relaxvm.backendcpu.jit.x64;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Type;

/**
 * One operation or comparison on operands of given types, of which one may be constant.
 *
 * @param op the operation, or null for a comparison
 * @param relation of the comparison, or null
 * @param constantOperand the operand that is constant, or -1
 * @param constant its bits
 * @param isHoisted whether the constant is in a register that is defined before the loop
 */
record OpCase(
    @Nullable Op op,
    @Nullable Relation relation,
    Type result,
    List<Type> operands,
    int constantOperand,
    long constant,
    boolean isHoisted) {
  /** Enough elements for all pairs of values; a multiple of the lanes of all types. */
  static final int MOST_ELEMENTS = 448;

  /** The bytes between operands in memory. */
  static final long STRIDE = MOST_ELEMENTS * 8L;

  /** All operations that a target supports. */
  static List<OpCase> all(X64Target target) {
    List<OpCase> cases = new ArrayList<>();
    List<Type> types = Targets.types(target);
    for (Op op : Op.values()) {
      for (Type result : types) {
        for (Type last : types) {
          if (target.supports(op, result, last)) {
            cases.add(new OpCase(op, null, result, operands(op, result, last), -1, 0, false));
          }
        }
      }
    }
    for (Relation relation : Relation.values()) {
      for (Type type : types) {
        if (target.supports(relation, type)) {
          boolean isWord = type.isWord() || (type.isFloat() && type.lanes() == 1);
          Type result = isWord ? Type.WORD : type.maskType();
          cases.add(new OpCase(null, relation, result, List.of(type, type), -1, 0, false));
        }
      }
    }
    return cases;
  }

  private static List<Type> operands(Op op, Type result, Type last) {
    return switch (op) {
      case BLEND -> List.of(result.maskType(), result, result);
      case SELECT -> List.of(Type.WORD, result, result);
      case SHL, SHR, SAR -> List.of(result, last);
      default -> Collections.nCopies(op.arity(), last);
    };
  }

  /** The same with a constant in place of an operand. */
  OpCase withConstant(int operand, long bits, boolean inRegister) {
    return new OpCase(op, relation, result, operands, operand, bits, inRegister);
  }

  /** Whether vectors are shifted by words, which have to be constant. */
  boolean needsConstantCount() {
    return (op == Op.SHL || op == Op.SHR || op == Op.SAR)
        && result.isInt()
        && operands.get(1).isWord();
  }

  /** The values that an operand takes. */
  long[] values(int operand) {
    return op == null
        ? EdgeValues.of(operands.get(operand))
        : EdgeValues.of(op, operand, operands.get(operand), result);
  }

  /**
   * A function that computes all elements. The block has the addresses of the operands, each {@link
   * #STRIDE} bytes after the one before, followed by the result.
   */
  LirFunction function() {
    LirWriter writer = new LirWriter(toString());
    Reg data = writer.loadWord(writer.block(), 16);
    int lanes = lanes();
    Reg counter = writer.reg(Type.WORD);
    writer.set(counter, Op.MOVE, writer.from());
    Operand constantValue = null;
    if (constantOperand >= 0) {
      Type type = operands.get(constantOperand);
      constantValue = type.isWord() ? new Imm(constant) : new Const(type, constant);
      if (isHoisted) {
        constantValue = writer.inRegister(constantValue);
      }
    }
    writer.open();
    Operand[] args = new Operand[operands.size()];
    for (int i = 0; i < args.length; i++) {
      args[i] =
          i == constantOperand && constantValue != null
              ? constantValue
              : load(writer, data, counter, i);
    }
    Reg value;
    if (op != null) {
      value = writer.compute(op, result, args);
    } else {
      value = writer.reg(result);
      if (relation == null) {
        throw new IllegalStateException("neither an operation nor a comparison");
      }
      writer.add(new Lir.Compare(relation, value, args[0], args[1]));
    }
    store(writer, data, counter, value);
    List<Lir> body = writer.close();
    writer.add(new Lir.Loop(counter, writer.to(), lanes, false, body));
    return writer.finish();
  }

  /** How many elements an iteration computes. */
  int lanes() {
    return Math.max(result.lanes(), operands.stream().mapToInt(Type::lanes).max().orElseThrow());
  }

  /** The address of the lanes of an operand, which hold 8 bytes for an element. */
  private static Address address(Reg data, Reg counter, int operand) {
    return new Address(data, counter, 8, (int) (operand * STRIDE));
  }

  private Operand load(LirWriter writer, Reg data, Reg counter, int operand) {
    Type type = operands.get(operand);
    Address from = address(data, counter, operand);
    if (type.isMask()) {
      Reg ints = writer.load(type.asInts(), from, type.bits(), true, false, null);
      return writer.compare(Relation.NE, ints, new Const(type.asInts(), 0));
    }
    return writer.load(type, from, type.bits(), true, false, null);
  }

  private void store(LirWriter writer, Reg data, Reg counter, Reg value) {
    Address to = address(data, counter, operands.size());
    if (!result.isMask()) {
      writer.store(to, value, result.bits(), null);
      return;
    }
    Type ints = result.asInts();
    Reg lanesOfMask = writer.blend(value, new Const(ints, -1), new Const(ints, 0));
    writer.store(to, lanesOfMask, ints.bits(), null);
    Reg bits = writer.compute(Op.MASK_BITS, Type.WORD, value);
    writer.store(address(data, counter, operands.size() + 1), bits, 64, null);
  }

  @Override
  public String toString() {
    return "%s %s = %s%s"
        .formatted(
            op == null ? relation : op,
            result,
            operands,
            constantOperand < 0
                ? ""
                : ", operand %d is 0x%x%s"
                    .formatted(constantOperand, constant, isHoisted ? " in a register" : ""));
  }
}
