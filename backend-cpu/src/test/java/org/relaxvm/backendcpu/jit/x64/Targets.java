package org.relaxvm.backendcpu.jit.x64;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.jit.allocate.RegisterFile;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Feature;

/** The processors that tests emit code for, as far as this one can run it. */
final class Targets {
  private Targets() {}

  /** AVX2, and AVX-512 where this processor has it; none where no code can run. */
  static List<X64Target> ofThisProcessor() {
    List<X64Target> targets = new ArrayList<>();
    if (MachineCode.current().isAvailable()) {
      targets.add(X64Target.of(Feature.x86V3()));
      if (MachineCode.current().features().containsAll(Feature.x86V4())) {
        targets.add(X64Target.of(Feature.x86V4()));
      }
    }
    return targets;
  }

  /** The registers of a target, of which virtual registers share only so many of each class. */
  static RegisterFile limited(X64Target target, int count) {
    RegisterFile all = target.registerFile(CallingConvention.current());
    return new RegisterFile(
        first(all.words(), count),
        first(all.vectors(), count),
        first(all.masks(), count),
        all.hasMasks(),
        all.vectorBytes());
  }

  private static List<Integer> first(List<Integer> registers, int count) {
    return registers.subList(0, Math.min(count, registers.size()));
  }

  /** All types of values that fit a register. */
  static List<Type> types(X64Target target) {
    List<Type> types = new ArrayList<>();
    types.add(Type.WORD);
    for (int bits = 8; bits <= 64; bits *= 2) {
      for (int lanes = 1; lanes * bits <= target.vectorBits(); lanes *= 2) {
        types.add(Type.ints(bits, lanes));
        types.add(Type.mask(bits, lanes));
        if (bits >= 32) {
          types.add(Type.floats(bits, lanes));
        }
      }
    }
    return types;
  }
}
