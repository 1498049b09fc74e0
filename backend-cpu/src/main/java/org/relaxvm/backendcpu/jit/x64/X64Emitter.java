package org.relaxvm.backendcpu.jit.x64;

import static org.relaxvm.machine.x64.Instruction.*;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.relaxvm.backendcpu.jit.allocate.Allocation;
import org.relaxvm.backendcpu.jit.allocate.LinearScan;
import org.relaxvm.backendcpu.jit.allocate.RegisterFile;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Condition;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Label;

/** Emits functions of the low-level IR as x86-64 machine code. */
public final class X64Emitter {
  private static final int LOOP_ALIGNMENT = 32;

  private record Failure(Label label, Lir.FailIf statement) {}

  private final LirFunction function;
  private final X64Target target;
  private final Assembler assembler;
  private final Frame frame;
  private final Locations at;
  private final WordOps words;
  private final IntOps ints;
  private final FloatOps floats;
  private final Masks masks;
  private final Conversions conversions;
  private final MemoryOps memory;
  private final Map<Reg, Const> constants;
  private final Map<Reg, Lir.Load> folded;
  private final List<Failure> failures = new ArrayList<>();

  private X64Emitter(
      LirFunction function,
      X64Target target,
      CallingConvention convention,
      RegisterFile registerFile,
      boolean isListed) {
    this.function = function;
    this.target = target;
    assembler =
        isListed ? Assembler.withListing(target.features()) : Assembler.of(target.features());
    folded = Folding.of(function, target);
    List<Gp> registers = convention.parameters();
    Allocation allocation =
        LinearScan.allocate(
            function,
            registerFile,
            Map.of(
                function.block(), registers.get(0).number(),
                function.from(), registers.get(1).number(),
                function.to(), registers.get(2).number(),
                function.scratch(), registers.get(3).number()),
            folded);
    constants = constantRegisters(function.body());
    frame = new Frame(assembler, target, allocation, convention);
    at = new Locations(assembler, target, allocation, constants, folded);
    words = new WordOps(at);
    ints = new IntOps(at);
    floats = new FloatOps(at);
    Narrowing narrowing = new Narrowing(at);
    masks = new Masks(at, narrowing);
    conversions = new Conversions(at, narrowing);
    memory = new MemoryOps(at, masks, narrowing, conversions);
  }

  /**
   * The machine code of a function.
   *
   * @param isListed whether the result has a listing
   * @throws IllegalArgumentException if a statement is one that {@link X64Target#supports} denies,
   *     or a register is read before it is defined
   */
  public static X64Code emit(
      LirFunction function, X64Target target, CallingConvention convention, boolean isListed) {
    return emit(function, target, convention, target.registerFile(convention), isListed);
  }

  /** As the public method, with a choice of the registers to assign. */
  static X64Code emit(
      LirFunction function,
      X64Target target,
      CallingConvention convention,
      RegisterFile registerFile,
      boolean isListed) {
    return new X64Emitter(function, target, convention, registerFile, isListed).emit();
  }

  private X64Code emit() {
    frame.enter(function);
    statements(function.body());
    assembler.emit(Instruction.XOR, Gp.RAX.low32(), Gp.RAX.low32());
    Label exit = assembler.label();
    assembler.bind(exit);
    frame.leave();
    for (Failure failure : failures) {
      fail(failure, exit);
    }
    byte[] bytes = assembler.finish();
    return new X64Code(bytes, frame.bytes(), assembler.isListed() ? assembler.listing() : "");
  }

  /** The registers that are defined once, as a constant. */
  private static Map<Reg, Const> constantRegisters(List<Lir> body) {
    Map<Reg, Const> found = new HashMap<>();
    collectConstants(body, found, new HashSet<>());
    return found;
  }

  private static void collectConstants(List<Lir> list, Map<Reg, Const> found, Set<Reg> defined) {
    for (Lir lir : list) {
      if (lir instanceof Lir.Compute compute) {
        boolean isFirst = defined.add(compute.result());
        if (isFirst
            && compute.op() == Op.MOVE
            && compute.args().getFirst() instanceof Const constant) {
          found.put(compute.result(), constant);
        } else {
          found.remove(compute.result());
        }
      } else if (lir instanceof Lir.Compare compare) {
        redefine(compare.result(), found, defined);
      } else if (lir instanceof Lir.Load load) {
        redefine(load.result(), found, defined);
      } else if (lir instanceof Lir.Gather gather) {
        redefine(gather.result(), found, defined);
      } else if (lir instanceof Lir.Loop loop) {
        collectConstants(loop.body(), found, defined);
      } else if (lir instanceof Lir.If branch) {
        collectConstants(branch.whenTrue(), found, defined);
        collectConstants(branch.whenFalse(), found, defined);
      }
    }
  }

  private static void redefine(Reg result, Map<Reg, Const> found, Set<Reg> defined) {
    defined.add(result);
    found.remove(result);
  }

  private void statements(List<Lir> list) {
    for (Lir lir : list) {
      statement(lir);
    }
  }

  private void statement(Lir lir) {
    if (assembler.isListed()) {
      assembler.comment(lir.line());
    }
    if (lir instanceof Lir.Compute compute) {
      compute(compute);
    } else if (lir instanceof Lir.Load load) {
      if (!folded.containsKey(load.result())) {
        memory.load(load);
      }
    } else if (lir instanceof Lir.Store store) {
      memory.store(store);
    } else if (lir instanceof Lir.Compare compare) {
      compare(compare);
    } else if (lir instanceof Lir.Gather gather) {
      gather(gather);
    } else if (lir instanceof Lir.Loop loop) {
      loop(loop);
    } else if (lir instanceof Lir.If branch) {
      branch(branch);
    } else if (lir instanceof Lir.FailIf fail) {
      failIf(fail);
    } else {
      throw new IllegalStateException("a statement that is not known: " + lir);
    }
  }

  private void compute(Lir.Compute compute) {
    Op op = compute.op();
    Reg result = compute.result();
    List<Operand> args = compute.args();
    Type operand = args.getLast().type();
    if (!target.supports(op, result.type(), operand)) {
      throw new IllegalArgumentException(
          "%s of %s with result %s is not supported on %s; ask Target.supports before"
              .formatted(op, operand, result.type(), target));
    }
    if (constants.containsKey(result) && !at.isInRegister(result)) {
      return;
    }
    switch (op) {
      case TO_INT,
          TO_FLOAT,
          UNSIGNED_TO_FLOAT,
          WIDEN,
          UNSIGNED_WIDEN,
          NARROW,
          FROM_HALF,
          TO_HALF,
          REINTERPRET,
          SPLAT,
          TO_WORD,
          FROM_WORD ->
          conversions.compute(op, result, args.getFirst());
      case FIRST_LANES -> masks.firstLanes(result, args.getFirst());
      case MASK_BITS -> masks.bits(result, (Reg) args.getFirst());
      case JOIN -> {
        if (result.type().isMask() && target.isWide()) {
          masks.join(result, (Reg) args.get(0), (Reg) args.get(1));
        } else {
          conversions.join(result, args.get(0), args.get(1));
        }
      }
      case RESIZE -> masks.resize(result, (Reg) args.getFirst());
      default -> {
        if (result.type().isWord()) {
          words.compute(op, result, args);
        } else if (result.type().isMask() && target.isWide()) {
          masks.compute(op, result, args);
        } else if (op == Op.LOW_HALF || op == Op.HIGH_HALF) {
          conversions.compute(op, result, args.getFirst());
        } else if (result.type().isFloat()) {
          floats.compute(op, result, args);
        } else {
          ints.compute(op, result, args);
        }
      }
    }
  }

  private void compare(Lir.Compare compare) {
    Type type = compare.a().type();
    if (!target.supports(compare.relation(), type)) {
      throw new IllegalArgumentException(
          "%s do not compare by %s on %s".formatted(type, compare.relation(), target));
    }
    if (type.isWord()) {
      words.compare(compare.result(), compare.relation(), compare.a(), compare.b());
    } else {
      masks.compare(compare.relation(), compare.result(), compare.a(), compare.b());
    }
  }

  private void gather(Lir.Gather gather) {
    Type type = gather.result().type();
    if (!target.supportsGather(type, gather.index().type())) {
      throw new IllegalArgumentException(
          "%s cannot be gathered with %s on %s".formatted(type, gather.index().type(), target));
    }
    memory.gather(gather);
  }

  private void loop(Lir.Loop loop) {
    Label head = assembler.label();
    Label end = assembler.label();
    if (!loop.isEntered()) {
      jumpIf(Relation.GE, loop.counter(), loop.limit(), end);
    }
    assembler.align(LOOP_ALIGNMENT);
    assembler.bind(head);
    statements(loop.body());
    words.compute(Op.ADD, loop.counter(), List.of(loop.counter(), new Imm(loop.step())));
    jumpIf(Relation.LT, loop.counter(), loop.limit(), head);
    assembler.bind(end);
  }

  /** Jumps if two words compare so. */
  private void jumpIf(Relation relation, Operand a, Operand b, Label to) {
    if (a instanceof Imm(long x) && b instanceof Imm(long y)) {
      if (Conditions.holds(relation, x, y)) {
        assembler.jump(to);
      }
      return;
    }
    Condition condition = Conditions.of(words.compare(relation, a, b));
    assembler.jump(condition, to);
  }

  private void branch(Lir.If branch) {
    Label end = assembler.label();
    if (branch.whenTrue().isEmpty()) {
      jumpIf(branch.relation(), branch.a(), branch.b(), end);
      statements(branch.whenFalse());
    } else if (branch.whenFalse().isEmpty()) {
      jumpIf(branch.relation().negated(), branch.a(), branch.b(), end);
      statements(branch.whenTrue());
    } else {
      Label otherwise = assembler.label();
      jumpIf(branch.relation().negated(), branch.a(), branch.b(), otherwise);
      statements(branch.whenTrue());
      assembler.jump(end);
      assembler.bind(otherwise);
      statements(branch.whenFalse());
    }
    assembler.bind(end);
  }

  private void failIf(Lir.FailIf fail) {
    Label label = assembler.label();
    failures.add(new Failure(label, fail));
    jumpIf(fail.relation(), fail.a(), fail.b(), label);
  }

  /** The code that is jumped to if a condition of a failure holds. */
  private void fail(Failure failure, Label exit) {
    assembler.bind(failure.label());
    List<Operand> values = failure.statement().values();
    if (values.size() > LirFunction.FAILURE_SLOTS) {
      throw new IllegalArgumentException(
          "a failure has at most %d values, but got %d"
              .formatted(LirFunction.FAILURE_SLOTS, values.size()));
    }
    for (int i = 0; i < values.size(); i++) {
      Gp block = at.word(function.block(), Gp.RDX);
      at.emit(MOV, Address.of(block, 8 * i), at.word(values.get(i), Gp.RAX));
    }
    assembler.emit(MOV, Gp.RAX.low32(), Immediate.of(failure.statement().status()));
    assembler.jump(exit);
  }
}
