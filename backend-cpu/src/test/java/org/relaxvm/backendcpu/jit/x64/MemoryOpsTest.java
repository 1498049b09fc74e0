package org.relaxvm.backendcpu.jit.x64;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.backendcpu.jit.LirInterpreter;
import org.relaxvm.backendcpu.jit.allocate.RegisterFile;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Feature;

/** Loads, stores and gathers touch the elements that they access and no other byte. */
class MemoryOpsTest {
  private static final int BLOCK_BYTES = 64;
  private static final int INPUT = 16;
  private static final int OUTPUT = 24;
  private static final int COUNT = 32;
  private static final int INDEX = 40;

  /** The elements that a mask selects. */
  private enum Lanes {
    ALL,
    FIRST,
    LAST
  }

  /** A load from, or a store to, memory between inaccessible pages. */
  private record Access(
      Type type, int bits, boolean isSigned, boolean isSplat, Lanes lanes, boolean isLoad) {}

  static List<X64Target> targets() {
    return Targets.ofThisProcessor();
  }

  @BeforeEach
  void needsInaccessiblePages() {
    assumeFalse(System.getProperty("os.name").startsWith("Windows"), "pages are mapped otherwise");
  }

  private static List<Access> accesses(X64Target target) {
    List<Access> all = new ArrayList<>();
    for (Type type : Targets.types(target)) {
      if (type.isMask()) {
        continue;
      }
      for (int bits = type.isFloat() ? type.bits() : 8; bits <= type.bits(); bits *= 2) {
        boolean isMasked = !type.isWord() && target.hasMaskedAccess(bits);
        for (Lanes lanes : isMasked ? Lanes.values() : new Lanes[] {Lanes.ALL}) {
          all.add(new Access(type, bits, true, false, lanes, false));
          for (boolean isSigned : new boolean[] {true, false}) {
            all.add(new Access(type, bits, isSigned, false, lanes, true));
            if (!type.isWord()) {
              all.add(new Access(type, bits, isSigned, true, lanes, true));
            }
          }
        }
      }
    }
    return all;
  }

  /** Copies lanes from the input to the output; one of both is accessed as described. */
  private static LirFunction function(Access access) {
    LirWriter writer = new LirWriter(access.toString());
    Reg input = writer.loadWord(writer.block(), INPUT);
    Reg output = writer.loadWord(writer.block(), OUTPUT);
    Type type = access.type();
    Reg mask = null;
    if (access.lanes() != Lanes.ALL) {
      Reg count = writer.loadWord(writer.block(), COUNT);
      mask = writer.compute(Op.FIRST_LANES, type.maskType(), count);
      if (access.lanes() == Lanes.LAST) {
        mask = writer.op(Op.NOT, mask);
      }
    }
    Reg index = writer.loadWord(writer.block(), INDEX);
    if (access.isLoad()) {
      Address from = new Address(input, index, 8, 16);
      Reg value = writer.load(type, from, access.bits(), access.isSigned(), access.isSplat(), mask);
      writer.store(Address.of(output, 0), value, type.bits(), null);
    } else {
      Reg value = writer.load(type, Address.of(input, 0), type.bits(), true, false, null);
      writer.store(new Address(output, index, 4, -16), value, access.bits(), mask);
    }
    return writer.finish();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void noOtherByteIsAccessed(X64Target target) {
    RegisterFile all = target.registerFile(CallingConvention.current());
    try (GuardedMemory guarded = new GuardedMemory()) {
      for (Access access : accesses(target)) {
        check(access, target, all, guarded);
      }
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void noOtherByteIsAccessedByCodeWhoseRegistersAreInTheFrame(X64Target target) {
    try (GuardedMemory guarded = new GuardedMemory()) {
      for (Access access : accesses(target)) {
        check(access, target, Targets.limited(target, 0), guarded);
      }
    }
  }

  private static void check(
      Access access, X64Target target, RegisterFile registers, GuardedMemory guarded) {
    LirFunction function = function(access);
    int lanes = access.type().lanes();
    try (Arena arena = Arena.ofConfined();
        EmittedFunction emitted = EmittedFunction.of(function, target, registers)) {
      int step = lanes > 16 ? 5 : 1;
      for (int count = 0; count <= lanes; count += step) {
        check(access, function, emitted, count, arena, guarded, true);
        check(access, function, emitted, count, arena, guarded, false);
        if (access.lanes() == Lanes.ALL) {
          return;
        }
      }
    }
  }

  private static void check(
      Access access,
      LirFunction function,
      EmittedFunction emitted,
      int count,
      Arena arena,
      GuardedMemory guarded,
      boolean isLast) {
    int lanes = access.type().lanes();
    int elementBytes = access.bits() / 8;
    int accessed =
        switch (access.lanes()) {
          case ALL -> lanes;
          case FIRST -> count;
          case LAST -> lanes - count;
        };
    int elements = access.isSplat() ? Math.min(1, accessed) : accessed;
    long bytes = (long) elements * elementBytes;
    MemorySegment inside = isLast ? guarded.last(bytes) : guarded.first(bytes);
    long before = access.lanes() == Lanes.LAST && !access.isSplat() ? count : 0;
    long address = inside.address() - before * elementBytes;
    MemorySegment plain = arena.allocate(128, 64);
    fill(plain);
    fill(inside);
    byte[] initial = inside.toArray(JAVA_BYTE);
    MemorySegment block = arena.allocate(BLOCK_BYTES, 64);
    block.set(JAVA_LONG, INDEX, -3);
    block.set(JAVA_LONG, COUNT, count);
    block.set(JAVA_LONG, INPUT, access.isLoad() ? address + 24 - 16 : plain.address());
    block.set(JAVA_LONG, OUTPUT, access.isLoad() ? plain.address() : address + 12 + 16);
    LirInterpreter interpreter = new LirInterpreter(block, plain, inside);
    interpreter.run(function, block.address(), 0, 0, 0);
    byte[] expected = (access.isLoad() ? plain : inside).toArray(JAVA_BYTE);
    fill(plain);
    inside.copyFrom(MemorySegment.ofArray(initial));
    assertThat(emitted.call(block.address(), 0, 0, 0)).isZero();
    assertThat((access.isLoad() ? plain : inside).toArray(JAVA_BYTE))
        .as("%s, %d lanes", access, count)
        .isEqualTo(expected);
  }

  private static void fill(MemorySegment memory) {
    for (long i = 0; i < memory.byteSize(); i++) {
      memory.set(JAVA_BYTE, i, (byte) (i * 37 + 0x91));
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void gathersReadOnlyTheLanesOfTheMask(X64Target target) {
    List<Type> types = Targets.types(target);
    try (GuardedMemory guarded = new GuardedMemory()) {
      for (Type type : types) {
        for (Type index : types) {
          if (target.supportsGather(type, index)) {
            for (boolean isMasked : new boolean[] {true, false}) {
              for (int registers : new int[] {0, 1, 12}) {
                gather(type, index, isMasked, target, registers, guarded);
              }
            }
          }
        }
      }
    }
  }

  private static void gather(
      Type type,
      Type index,
      boolean isMasked,
      X64Target target,
      int registers,
      GuardedMemory guarded) {
    LirWriter writer = new LirWriter("gather %s by %s".formatted(type, index));
    Reg input = writer.loadWord(writer.block(), INPUT);
    Reg indices =
        writer.load(
            index,
            Address.of(writer.loadWord(writer.block(), INDEX), 0),
            index.bits(),
            true,
            false,
            null);
    Reg mask = null;
    if (isMasked) {
      Reg count = writer.loadWord(writer.block(), COUNT);
      mask = writer.compute(Op.FIRST_LANES, type.maskType(), count);
    }
    Reg value = writer.reg(type);
    writer.add(new Lir.Gather(value, input, indices, 4, -8, mask));
    Reg output = writer.loadWord(writer.block(), OUTPUT);
    writer.store(Address.of(output, 0), value, type.bits(), null);
    LirFunction function = writer.finish();

    MemorySegment inside = guarded.last(256);
    fill(inside);
    int lanes = type.lanes();
    int read = isMasked ? lanes / 2 : lanes;
    try (Arena arena = Arena.ofConfined();
        EmittedFunction emitted =
            EmittedFunction.of(function, target, Targets.limited(target, registers))) {
      MemorySegment block = arena.allocate(BLOCK_BYTES, 64);
      MemorySegment at = arena.allocate(64, 64);
      MemorySegment expected = arena.allocate(64, 64);
      MemorySegment got = arena.allocate(64, 64);
      for (int lane = 0; lane < lanes; lane++) {
        // Lanes that are not read have indices of inaccessible memory.
        long chosen = lane < read ? (lane * 29 + 62) % 63 - 10 : 5_000;
        if (index.bits() == 32) {
          at.setAtIndex(JAVA_INT, lane, (int) chosen);
        } else {
          at.setAtIndex(JAVA_LONG, lane, chosen);
        }
      }
      block.set(JAVA_LONG, INPUT, inside.address() + 48);
      block.set(JAVA_LONG, INDEX, at.address());
      block.set(JAVA_LONG, COUNT, read);
      block.set(JAVA_LONG, OUTPUT, expected.address());
      new LirInterpreter(block, inside, at, expected).run(function, block.address(), 0, 0, 0);
      block.set(JAVA_LONG, OUTPUT, got.address());
      assertThat(emitted.call(block.address(), 0, 0, 0)).isZero();
      assertThat(got.toArray(JAVA_BYTE)).as(function.name()).isEqualTo(expected.toArray(JAVA_BYTE));
    }
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void constantWordsAreStored(X64Target target) {
    long[] values = {0, 1, -1, 200, -129, 0x1234_5678L, 0xFFFF_FFFFL, 0x1234_5678_9ABCL};
    LirWriter writer = new LirWriter("constants");
    Reg output = writer.loadWord(writer.block(), OUTPUT);
    int offset = 0;
    for (long value : values) {
      for (int bits = 8; bits <= 64; bits *= 2) {
        writer.store(Address.of(output, offset), new Imm(value), bits, null);
        offset += 8;
      }
    }
    LirFunction function = writer.finish();
    try (Arena arena = Arena.ofConfined();
        EmittedFunction emitted = EmittedFunction.of(function, target)) {
      MemorySegment block = arena.allocate(BLOCK_BYTES, 64);
      MemorySegment expected = arena.allocate(offset, 64);
      MemorySegment got = arena.allocate(offset, 64);
      block.set(JAVA_LONG, OUTPUT, expected.address());
      new LirInterpreter(block, expected).run(function, block.address(), 0, 0, 0);
      block.set(JAVA_LONG, OUTPUT, got.address());
      assertThat(emitted.call(block.address(), 0, 0, 0)).isZero();
      assertThat(got.toArray(JAVA_LONG)).isEqualTo(expected.toArray(JAVA_LONG));
    }
  }

  @Test
  void narrowFloatsAreRefused() {
    X64Target target = X64Target.of(Feature.x86V3());
    LirWriter writer = new LirWriter("half");
    writer.load(Type.FLOAT32, Address.of(writer.block(), 0), 16, true, false, null);
    assertThatThrownBy(
            () -> X64Emitter.emit(writer.finish(), target, CallingConvention.SYSTEM_V, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("elements of 16 bits cannot be read as f32; read integers and convert them");
  }
}
