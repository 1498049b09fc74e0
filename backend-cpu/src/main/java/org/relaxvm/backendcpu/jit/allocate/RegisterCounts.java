package org.relaxvm.backendcpu.jit.allocate;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;

/** How often the statements of a function read and define each virtual register. */
public final class RegisterCounts {
  private final int[] uses;
  private final int[] definitions;

  private RegisterCounts(int registers) {
    uses = new int[registers];
    definitions = new int[registers];
  }

  /** Counts the statements of a function, each once. */
  public static RegisterCounts of(LirFunction function) {
    RegisterCounts counts = new RegisterCounts(function.registers());
    counts.list(function.body());
    return counts;
  }

  /** How many operands of statements a register is. */
  public int uses(Reg reg) {
    return uses[reg.id()];
  }

  /** How many statements define a register. */
  public int definitions(Reg reg) {
    return definitions[reg.id()];
  }

  private void list(List<Lir> list) {
    for (Lir lir : list) {
      statement(lir);
    }
  }

  private void statement(Lir lir) {
    if (lir instanceof Lir.Compute compute) {
      useAll(compute.args());
      definitions[compute.result().id()]++;
    } else if (lir instanceof Lir.Load load) {
      use(load.from());
      use(load.mask());
      definitions[load.result().id()]++;
    } else if (lir instanceof Lir.Store store) {
      use(store.to());
      use(store.value());
      use(store.mask());
    } else if (lir instanceof Lir.Compare compare) {
      use(compare.a());
      use(compare.b());
      definitions[compare.result().id()]++;
    } else if (lir instanceof Lir.Gather gather) {
      use(gather.base());
      use(gather.index());
      use(gather.mask());
      definitions[gather.result().id()]++;
    } else if (lir instanceof Lir.Loop loop) {
      use(loop.counter());
      use(loop.limit());
      definitions[loop.counter().id()]++;
      list(loop.body());
    } else if (lir instanceof Lir.If branch) {
      use(branch.a());
      use(branch.b());
      list(branch.whenTrue());
      list(branch.whenFalse());
    } else if (lir instanceof Lir.FailIf fail) {
      use(fail.a());
      use(fail.b());
      useAll(fail.values());
    } else {
      throw new IllegalStateException("a statement that is not known: " + lir);
    }
  }

  private void useAll(List<Operand> operands) {
    for (Operand operand : operands) {
      use(operand);
    }
  }

  private void use(Operand.Address address) {
    use(address.base());
    use(address.index());
  }

  private void use(@Nullable Operand operand) {
    if (operand instanceof Reg reg) {
      uses[reg.id()]++;
    }
  }
}
