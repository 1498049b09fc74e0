package org.relaxvm.backendcpu.jit.x64;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.backendcpu.jit.LirInterpreter;
import org.relaxvm.backendcpu.jit.allocate.RegisterFile;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Feature;

/** Every operation of every type that a target supports, against the interpreter. */
class X64OpsTest {
  private static final int BLOCK_BYTES = 64;
  private static final int AREAS = 5;
  private static final int FEW_ELEMENTS = 64;

  static List<X64Target> targets() {
    return Targets.ofThisProcessor();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void operandsAreInRegisters(X64Target target) {
    RegisterFile registers = target.registerFile(CallingConvention.current());
    for (OpCase operation : OpCase.all(target)) {
      if (!operation.needsConstantCount()) {
        check(operation, target, registers, OpCase.MOST_ELEMENTS);
      }
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void operandsAndResultsAreInTheFrame(X64Target target) {
    for (OpCase operation : OpCase.all(target)) {
      if (!operation.needsConstantCount() && isWhole(operation, target)) {
        check(operation, target, Targets.limited(target, 0), FEW_ELEMENTS);
      }
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void oneRegisterOfEachClassIsShared(X64Target target) {
    for (OpCase operation : OpCase.all(target)) {
      if (!operation.needsConstantCount() && isWhole(operation, target)) {
        check(operation, target, Targets.limited(target, 1), FEW_ELEMENTS);
      }
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void oneOperandIsConstant(X64Target target) {
    RegisterFile registers = target.registerFile(CallingConvention.current());
    int chosen = 0;
    for (OpCase operation : OpCase.all(target)) {
      for (int operand = 0; operand < operation.operands().size(); operand++) {
        if (operation.operands().get(operand).isMask()) {
          continue;
        }
        boolean isCount = operation.needsConstantCount();
        if ((isCount && operand == 0) || !isWhole(operation, target)) {
          continue;
        }
        long[] values = operation.values(operand);
        for (int i = 0; i < (isCount ? values.length : 2); i++) {
          long value = values[isCount ? i : chosen++ % values.length];
          boolean isHoisted = !isCount && i % 2 == 1;
          OpCase constant = operation.withConstant(operand, value, isHoisted);
          check(
              constant,
              target,
              chosen % 5 == 0 ? Targets.limited(target, 0) : registers,
              FEW_ELEMENTS);
        }
      }
    }
  }

  /** Whether lanes fill a register, or there is one. */
  private static boolean isWhole(OpCase operation, X64Target target) {
    return operation.lanes() == 1
        || operation.result().totalBits() == target.vectorBits()
        || operation.operands().getLast().totalBits() == target.vectorBits();
  }

  private static void check(OpCase operation, X64Target target, RegisterFile registers, int most) {
    int elements = isWhole(operation, target) ? most : FEW_ELEMENTS;
    LirFunction function = operation.function();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment expected = memory(arena, operation);
      MemorySegment got = memory(arena, operation);
      new LirInterpreter(expected).run(function, expected.address(), 0, elements, 0);
      try (EmittedFunction emitted = EmittedFunction.of(function, target, registers)) {
        assertThat(emitted.call(got.address(), 0, elements, 0)).isZero();
      }
      assertSame(operation, target, expected, got, registers);
    }
  }

  static MemorySegment memory(Arena arena, OpCase operation) {
    MemorySegment memory = arena.allocate(BLOCK_BYTES + AREAS * OpCase.STRIDE + 64, 64);
    memory.set(JAVA_LONG, 16, memory.address() + BLOCK_BYTES);
    int count = operation.operands().size();
    for (int operand = 0; operand < count; operand++) {
      Type type = operation.operands().get(operand);
      long[] values = operation.values(operand);
      long base = BLOCK_BYTES + operand * OpCase.STRIDE;
      int period = operation.values(count - 1).length;
      int lanes = operation.lanes();
      for (int i = 0; i < OpCase.MOST_ELEMENTS; i++) {
        int chosen = operand == count - 1 ? i : operand == 0 ? i / period : i * 7 + 3;
        long offset = i / lanes * lanes * 8L + i % lanes * (type.bits() / 8L);
        put(memory, base + offset, type.bits(), values[chosen % values.length]);
      }
    }
    return memory;
  }

  private static void put(MemorySegment memory, long offset, int bits, long value) {
    switch (bits) {
      case 8 -> memory.set(ValueLayout.JAVA_BYTE, offset, (byte) value);
      case 16 -> memory.set(ValueLayout.JAVA_SHORT, offset, (short) value);
      case 32 -> memory.set(ValueLayout.JAVA_INT, offset, (int) value);
      default -> memory.set(JAVA_LONG, offset, value);
    }
  }

  private static void assertSame(
      OpCase operation,
      X64Target target,
      MemorySegment expected,
      MemorySegment got,
      RegisterFile registers) {
    Type type = operation.result();
    long start = BLOCK_BYTES + operation.operands().size() * OpCase.STRIDE;
    Results.difference(type, expected, got, start, expected.byteSize())
        .ifPresent(
            at -> {
              throw new AssertionError(
                  "%s on %s: at byte %d of the results expected %s, but got %s%n%s%n%s"
                      .formatted(
                          operation,
                          target,
                          at - start,
                          Results.hex(type, expected, at),
                          Results.hex(type, got, at),
                          operation.function(),
                          listing(operation, target, registers)));
            });
  }

  private static String listing(OpCase operation, X64Target target, RegisterFile registers) {
    return X64Emitter.emit(
            operation.function(), target, CallingConvention.current(), registers, true)
        .listing();
  }

  @Test
  void whatIsNotSupportedIsRefused() {
    X64Target target = X64Target.of(Feature.x86V3());
    LirWriter writer = new LirWriter("wide");
    var zero = new org.relaxvm.backendcpu.jit.lir.Operand.Const(Type.floats(32, 16), 0);
    writer.compute(Op.SQRT, Type.floats(32, 16), zero);
    assertThatThrownBy(
            () -> X64Emitter.emit(writer.finish(), target, CallingConvention.SYSTEM_V, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "sqrt of f32x16 with result f32x16 is not supported on x86-64 with AVX2; ask"
                + " Target.supports before");
  }
}
