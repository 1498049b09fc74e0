package org.relaxvm.backendcpu.jit.x64;

import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.relaxvm.backendcpu.jit.allocate.RegisterCounts;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;

/**
 * Finds loads that become memory operands: the value is used once, by a later statement of the same
 * list whose instruction takes memory, and no statement between them writes memory or changes the
 * address. A statement has at most one.
 */
final class Folding {
  private final X64Target target;
  private final RegisterCounts counts;
  private final Map<Reg, Lir.Load> folded = new HashMap<>();

  private Folding(LirFunction function, X64Target target) {
    this.target = target;
    counts = RegisterCounts.of(function);
  }

  /** The loads by their results. */
  static Map<Reg, Lir.Load> of(LirFunction function, X64Target target) {
    Folding folding = new Folding(function, target);
    folding.list(function.body());
    return folding.folded;
  }

  private void list(List<Lir> list) {
    Map<Reg, Lir.Load> pending = new HashMap<>();
    for (Lir lir : list) {
      if (lir instanceof Lir.Load load) {
        changed(pending, load.result());
        if (isCandidate(load)) {
          pending.put(load.result(), load);
        }
      } else if (lir instanceof Lir.Compute compute) {
        compute(pending, compute);
        changed(pending, compute.result());
      } else if (lir instanceof Lir.Compare compare) {
        compare(pending, compare);
        changed(pending, compare.result());
      } else if (lir instanceof Lir.Gather gather) {
        changed(pending, gather.result());
      } else if (lir instanceof Lir.Store) {
        pending.clear();
      } else if (lir instanceof Lir.Loop loop) {
        pending.clear();
        list(loop.body());
      } else if (lir instanceof Lir.If branch) {
        pending.clear();
        list(branch.whenTrue());
        list(branch.whenFalse());
      }
    }
  }

  /** Forgets the loads whose address depends on a register. */
  private static void changed(Map<Reg, Lir.Load> pending, Reg register) {
    if (!register.type().isWord() || pending.isEmpty()) {
      return;
    }
    Iterator<Lir.Load> loads = pending.values().iterator();
    while (loads.hasNext()) {
      Address from = loads.next().from();
      if (from.base() == register || from.index() == register) {
        loads.remove();
      }
    }
  }

  private boolean isCandidate(Lir.Load load) {
    Type type = load.result().type();
    boolean isElement = load.isSplat() && type.lanes() > 1;
    return load.mask() == null
        && (type.isInt() || type.isFloat())
        && load.bits() == type.bits()
        && (!isElement || (target.isWide() && type.bits() >= 32))
        && counts.uses(load.result()) == 1
        && counts.definitions(load.result()) == 1;
  }

  private void compute(Map<Reg, Lir.Load> pending, Lir.Compute compute) {
    if (pending.isEmpty() || !takesMemory(compute.op(), compute.result().type())) {
      return;
    }
    List<Operand> args = compute.args();
    // Constants are memory already.
    for (Operand arg : args) {
      if (!(arg instanceof Reg)) {
        return;
      }
    }
    for (int i = args.size() - 1; i >= 0; i--) {
      if (mayBeMemory(compute.op(), i) && fold(pending, args.get(i))) {
        return;
      }
    }
  }

  private void compare(Map<Reg, Lir.Load> pending, Lir.Compare compare) {
    boolean isVector = compare.a() instanceof Reg && compare.a().type().totalBits() >= 128;
    if (isVector && compare.b() instanceof Reg b) {
      fold(pending, b);
    }
  }

  private boolean fold(Map<Reg, Lir.Load> pending, Operand operand) {
    Lir.Load load = operand instanceof Reg reg ? pending.get(reg) : null;
    if (load == null) {
      return false;
    }
    folded.put(load.result(), load);
    return true;
  }

  /** Whether instructions read exactly the bytes of a type, and one of them is enough. */
  private boolean takesMemory(Op op, Type type) {
    boolean isOneFloat = type.isFloat() && type.lanes() == 1;
    if (type.totalBits() < 128 && !isOneFloat) {
      return false;
    }
    return switch (op) {
      case ADD, SUB -> !type.isWord() && !type.isMask();
      case FMA, FNMA, DIV -> type.isFloat();
      case MUL ->
          type.isFloat()
              || (type.isInt() && type.bits() >= 16 && (type.bits() < 64 || target.isWide()));
      case MIN, MAX, UMIN, UMAX -> type.isInt() && (type.bits() < 64 || target.isWide());
      case AND, OR, XOR -> !isOneFloat && !type.isWord() && !type.isMask();
      default -> false;
    };
  }

  private static boolean mayBeMemory(Op op, int operand) {
    return switch (op) {
      case SUB, DIV -> operand == 1;
      default -> true;
    };
  }
}
