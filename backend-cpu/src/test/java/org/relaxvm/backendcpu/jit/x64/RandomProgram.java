package org.relaxvm.backendcpu.jit.x64;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
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
 * A program of random statements: loops, branches and failures around operations on values of a few
 * types. Its results do not depend on which NaN an operation returns.
 */
final class RandomProgram {
  static final int INPUT_BYTES = 1024;
  static final int SLOT_BYTES = 64;
  private static final int DEEPEST = 3;

  /** Where a value is written, and what it is. */
  record Output(int offset, Type type) {}

  private final Random random;
  private final LirWriter writer = new LirWriter("random");
  private final List<OpCase> operations = new ArrayList<>();
  private final List<Type> types = new ArrayList<>();
  private final List<Reg> values = new ArrayList<>();
  private final List<Reg> counters = new ArrayList<>();
  private final List<Output> outputs = new ArrayList<>();
  private final Reg input;
  private final Reg output;
  private int depth;
  private int nextStatus = 1;

  private RandomProgram(X64Target target, List<OpCase> supported, Random random) {
    this.random = random;
    int lanes = 1 << random.nextInt(7);
    for (Type type : Targets.types(target)) {
      boolean isOneFloat = type.isFloat() && type.lanes() == 1;
      if (type.isWord() || isOneFloat || type.lanes() == lanes) {
        types.add(type);
      }
    }
    for (OpCase operation : supported) {
      boolean isOfTypes =
          types.contains(operation.result()) && types.containsAll(operation.operands());
      if (isOfTypes && !showsBitsOfNaN(operation)) {
        operations.add(operation);
      }
    }
    input = writer.loadWord(writer.block(), 16);
    output = writer.loadWord(writer.block(), 24);
  }

  private static boolean showsBitsOfNaN(OpCase operation) {
    if (operation.op() == null || !operation.operands().getLast().isFloat()) {
      return false;
    }
    return switch (operation.op()) {
      case REINTERPRET, TO_WORD, TO_HALF, AND, OR, XOR, AND_NOT -> true;
      default -> false;
    };
  }

  /** What is written to the output, in the order of the slots. */
  List<Output> outputs() {
    return outputs;
  }

  LirFunction function() {
    return writer.finish();
  }

  /**
   * A program.
   *
   * @param supported the operations of the target
   */
  static RandomProgram of(X64Target target, List<OpCase> supported, Random random) {
    RandomProgram program = new RandomProgram(target, supported, random);
    int live = random.nextInt(40);
    for (int i = 0; i < live; i++) {
      program.load();
    }
    program.statements(20 + random.nextInt(40));
    for (Reg value : List.copyOf(program.values)) {
      program.store(value);
    }
    return program;
  }

  private void statements(int count) {
    for (int i = 0; i < count; i++) {
      switch (random.nextInt(30)) {
        case 0 -> branch();
        case 1 -> loop();
        case 2 -> failIf();
        case 3, 4, 5 -> load();
        case 6 -> store(existing(types.get(random.nextInt(types.size()))));
        default -> operation();
      }
    }
  }

  /** A value of a type: an existing one, else a new one. */
  private Reg existing(Type type) {
    List<Reg> found = values.stream().filter(value -> value.type().equals(type)).toList();
    if (!found.isEmpty() && random.nextInt(8) != 0) {
      return found.get(random.nextInt(found.size()));
    }
    return load(type);
  }

  private void load() {
    load(types.get(random.nextInt(types.size())));
  }

  private Reg load(Type type) {
    if (type.isMask()) {
      Reg a = load(type.asInts());
      Reg mask = writer.compare(Relation.GT, a, new Const(type.asInts(), random.nextInt(5) - 2));
      values.add(mask);
      return mask;
    }
    int offset = 8 * random.nextInt((INPUT_BYTES - 2 * SLOT_BYTES) / 8);
    Address from =
        counters.isEmpty() || random.nextBoolean()
            ? Address.of(input, offset)
            : new Address(input, counters.get(random.nextInt(counters.size())), 8, offset);
    Reg value = writer.load(type, from, type.bits(), true, random.nextInt(6) == 0, null);
    if (type.isFloat()) {
      // Random bits are rarely of moderate size.
      value = type.lanes() == 1 ? oneFloat(type, from) : lanesOfFloats(type, from);
    }
    values.add(value);
    return value;
  }

  private Reg oneFloat(Type type, Address from) {
    Reg word = writer.load(Type.WORD, from, 8, true, false, null);
    return writer.compute(Op.TO_FLOAT, type, word);
  }

  private Reg lanesOfFloats(Type type, Address from) {
    Reg ints = writer.load(type.asInts(), from, 8, true, false, null);
    return writer.compute(Op.TO_FLOAT, type, ints);
  }

  private Operand operand(OpCase operation, int index) {
    Type type = operation.operands().get(index);
    boolean isCount =
        index == 1
            && (operation.op() == Op.SHL || operation.op() == Op.SHR || operation.op() == Op.SAR);
    if (isCount && type.isWord()) {
      int count = random.nextInt(operation.result().bits());
      boolean isConstant = operation.result().isInt() || random.nextBoolean();
      return isConstant
          ? new Imm(count)
          : writer.op(Op.AND, existing(type), new Imm(operation.result().bits() - 1));
    }
    if (isCount) {
      return writer.op(Op.AND, existing(type), new Const(type, type.bits() - 1));
    }
    if (operation.op() == Op.FIRST_LANES) {
      return writer.op(Op.AND, existing(type), new Imm(operation.result().lanes() - 1));
    }
    if (index == 1 && operation.op() != null) {
      switch (operation.op()) {
        case REM, UDIV, UREM -> {
          return writer.op(Op.OR, writer.op(Op.SHR, existing(type), new Imm(1)), new Imm(1));
        }
        case DIV -> {
          if (type.isWord()) {
            return new Imm(1 + random.nextInt(1000));
          }
        }
        case SCALE -> {
          Reg large = writer.op(Op.MAX, existing(type), Const.of(type, -2000));
          return writer.op(Op.NEAREST, writer.op(Op.MIN, large, Const.of(type, 2000)));
        }
        default -> {}
      }
    }
    boolean isConstant = !type.isMask() && random.nextInt(6) == 0;
    if (isConstant) {
      long value = random.nextInt(7) - 3L;
      return type.isWord()
          ? new Imm(random.nextInt(9) == 0 ? random.nextLong() : value)
          : Const.of(type, value);
    }
    if (!type.isMask() && random.nextInt(4) == 0) {
      // Used once, so that the load may become an operand.
      Address from = Address.of(input, 8 * random.nextInt(INPUT_BYTES / 8 - 8));
      return writer.load(type, from, type.bits(), true, random.nextInt(3) == 0, null);
    }
    return existing(type);
  }

  private void operation() {
    OpCase operation = operations.get(random.nextInt(operations.size()));
    Operand[] args = new Operand[operation.operands().size()];
    for (int i = 0; i < args.length; i++) {
      args[i] = operand(operation, i);
    }
    Type type = operation.result();
    List<Reg> same = values.stream().filter(value -> value.type().equals(type)).toList();
    boolean isNew = same.isEmpty() || random.nextInt(3) != 0;
    Reg result = isNew ? writer.reg(type) : same.get(random.nextInt(same.size()));
    Relation relation = operation.relation();
    if (relation != null) {
      writer.add(new Lir.Compare(relation, result, args[0], args[1]));
    } else {
      writer.set(result, Objects.requireNonNull(operation.op()), args);
    }
    if (isNew) {
      values.add(result);
    }
  }

  private void store(Reg value) {
    Reg stored = value;
    if (value.type().isMask()) {
      Type ints = value.type().asInts();
      stored = writer.blend(value, new Const(ints, -1), new Const(ints, 0));
    }
    int offset = outputs.size() * SLOT_BYTES;
    outputs.add(new Output(offset, stored.type()));
    writer.store(Address.of(output, offset), stored, stored.type().bits(), null);
  }

  private List<Lir> nested(int count) {
    int visible = values.size();
    writer.open();
    depth++;
    statements(count);
    depth--;
    while (values.size() > visible) {
      values.removeLast();
    }
    return writer.close();
  }

  private Relation relation() {
    return Relation.values()[random.nextInt(Relation.values().length)];
  }

  private Operand word() {
    return random.nextInt(3) == 0 ? new Imm(random.nextInt(5) - 2) : existing(Type.WORD);
  }

  private void branch() {
    if (depth == DEEPEST) {
      return;
    }
    Operand a = word();
    Operand b = word();
    Relation relation = relation();
    List<Lir> first = random.nextInt(5) == 0 ? List.of() : nested(random.nextInt(12));
    List<Lir> second = random.nextInt(3) == 0 ? List.of() : nested(random.nextInt(12));
    writer.add(new Lir.If(relation, a, b, first, second));
  }

  private void loop() {
    if (depth == DEEPEST) {
      return;
    }
    Reg counter = writer.reg(Type.WORD);
    writer.set(counter, Op.MOVE, new Imm(random.nextInt(2)));
    Operand limit =
        random.nextBoolean()
            ? new Imm(1 + random.nextInt(4))
            : writer.op(Op.AND, existing(Type.WORD), new Imm(3));
    boolean isEntered = limit instanceof Imm(long value) && value > 1;
    counters.add(counter);
    List<Lir> body = nested(random.nextInt(15));
    counters.removeLast();
    writer.add(new Lir.Loop(counter, limit, 1 + random.nextInt(2), isEntered, body));
  }

  private void failIf() {
    Operand a = existing(Type.WORD);
    Operand b = new Imm(random.nextInt(64));
    List<Operand> shown =
        switch (random.nextInt(3)) {
          case 0 -> List.of();
          case 1 -> List.of(word());
          default -> List.of(word(), word());
        };
    writer.add(new Lir.FailIf(Relation.EQ, a, b, nextStatus++, shown));
  }
}
