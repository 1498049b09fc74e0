package org.relaxvm.backendcpu.jit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;

/**
 * Evaluates low-level IR in plain Java, as a reference for emitted code. It throws {@link
 * IllegalStateException} where the IR leaves a result undefined in a way that a processor may trap,
 * for registers that are read before they are defined, for operands of wrong types, and for memory
 * outside the segments that it was given.
 *
 * <p>The value of a register is an array of lanes: the bits of a lane without extension, of a mask
 * 0 or 1, of a word one element. Not thread-safe.
 */
public final class LirInterpreter {
  private static final int FAILED = 1;

  private final List<MemorySegment> memory;
  private long[] @Nullable [] registers = new long[0][];
  private long block;
  private long status;

  /**
   * Creates an interpreter.
   *
   * @param memory native segments that functions may access, which must not be closed during a run
   */
  public LirInterpreter(MemorySegment... memory) {
    this.memory = List.of(memory);
  }

  /**
   * Runs a function.
   *
   * @param blockAddress the address of the block
   * @param scratch an address, or anything if the function does not use it
   * @return what the function returns: 0, or the status of a failure
   */
  public long run(LirFunction function, long blockAddress, long from, long to, long scratch) {
    registers = new long[function.registers()][];
    block = blockAddress;
    status = 0;
    define(function.block(), blockAddress);
    define(function.from(), from);
    define(function.to(), to);
    define(function.scratch(), scratch);
    run(function.body());
    return status;
  }

  /** Runs statements; {@link #FAILED} if one of them ended the function. */
  private int run(List<Lir> statements) {
    for (Lir statement : statements) {
      if (run(statement) == FAILED) {
        return FAILED;
      }
    }
    return 0;
  }

  private int run(Lir statement) {
    switch (statement) {
      case Lir.Compute compute -> {
        Type[] types = new Type[compute.args().size()];
        long[][] values = new long[types.length][];
        for (int i = 0; i < types.length; i++) {
          types[i] = compute.args().get(i).type();
          values[i] = value(compute.args().get(i));
        }
        define(
            compute.result(),
            LirArithmetic.compute(compute.op(), compute.result().type(), types, values));
      }
      case Lir.Compare compare ->
          define(
              compare.result(),
              LirArithmetic.compare(
                  compare.relation(),
                  compare.result().type(),
                  compare.a().type(),
                  value(compare.a()),
                  compare.b().type(),
                  value(compare.b())));
      case Lir.Load load -> load(load);
      case Lir.Store store -> store(store);
      case Lir.Gather gather -> gather(gather);
      case Lir.Loop loop -> {
        return loop(loop);
      }
      case Lir.If branch -> {
        boolean holds = LirArithmetic.holds(branch.relation(), word(branch.a()), word(branch.b()));
        return run(holds ? branch.whenTrue() : branch.whenFalse());
      }
      case Lir.FailIf fail -> {
        if (LirArithmetic.holds(fail.relation(), word(fail.a()), word(fail.b()))) {
          return fail(fail);
        }
      }
    }
    return 0;
  }

  private int loop(Lir.Loop loop) {
    require(loop.step() > 0, "the step of a loop is %d", loop.step());
    require(
        !loop.isEntered() || word(loop.counter()) < word(loop.limit()),
        "an entered loop starts at its limit");
    while (word(loop.counter()) < word(loop.limit())) {
      if (run(loop.body()) == FAILED) {
        return FAILED;
      }
      define(loop.counter(), word(loop.counter()) + loop.step());
    }
    return 0;
  }

  private int fail(Lir.FailIf fail) {
    require(fail.status() > 0, "the status of a failure is %d", fail.status());
    require(fail.values().size() <= LirFunction.FAILURE_SLOTS, "%d values", fail.values().size());
    long[] words = fail.values().stream().mapToLong(this::word).toArray();
    for (int i = 0; i < words.length; i++) {
      write(block + (long) i * Long.BYTES, Long.SIZE, words[i]);
    }
    status = fail.status();
    return FAILED;
  }

  private void load(Lir.Load load) {
    Type type = load.result().type();
    require(
        type.isFloat() ? load.bits() == type.bits() : load.bits() <= type.bits() && !type.isMask(),
        "a load of %d bits for %s",
        load.bits(),
        type);
    long[] mask = mask(load.mask(), type);
    long at = address(load.from());
    long[] lanes = new long[type.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      if (mask[i] != 0) {
        long element = load.isSplat() ? at : at + (long) i * load.bits() / Byte.SIZE;
        long bits = read(element, load.bits());
        long extended = load.isSigned() ? LirArithmetic.signed(bits, load.bits()) : bits;
        lanes[i] = LirArithmetic.low(extended, type.bits());
      }
    }
    define(load.result(), lanes);
  }

  private void store(Lir.Store store) {
    Type type = store.value().type();
    require(
        type.isFloat()
            ? store.bits() == type.bits()
            : store.bits() <= type.bits() && !type.isMask(),
        "a store of %d bits of %s",
        store.bits(),
        type);
    long[] mask = mask(store.mask(), type);
    long[] lanes = value(store.value());
    long at = address(store.to());
    for (int i = 0; i < lanes.length; i++) {
      if (mask[i] != 0) {
        write(at + (long) i * store.bits() / Byte.SIZE, store.bits(), lanes[i]);
      }
    }
  }

  private void gather(Lir.Gather gather) {
    Type type = gather.result().type();
    Type indices = gather.index().type();
    require(
        indices.isInt() && indices.lanes() == type.lanes() && indices.bits() >= 32,
        "a gather of %s at %s",
        type,
        indices);
    require(type.bits() >= 32, "a gather of %s", type);
    long[] mask = mask(gather.mask(), type);
    long[] index = value(gather.index());
    long base = word(gather.base()) + gather.displacement();
    long[] lanes = new long[type.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      if (mask[i] != 0) {
        long offset = LirArithmetic.signed(index[i], indices.bits()) * gather.scale();
        lanes[i] = read(base + offset, type.bits());
      }
    }
    define(gather.result(), lanes);
  }

  private long[] mask(@Nullable Reg mask, Type type) {
    if (mask == null) {
      long[] all = new long[type.lanes()];
      Arrays.fill(all, 1);
      return all;
    }
    require(mask.type().equals(type.maskType()), "%s under a mask %s", type, mask.type());
    return value(mask);
  }

  private long address(Address address) {
    Reg index = address.index();
    long scaled = index == null ? 0 : word(index) * address.scale();
    return word(address.base()) + scaled + address.displacement();
  }

  private void define(Reg register, long... lanes) {
    require(
        lanes.length == register.type().lanes(), "%d lanes for %s", lanes.length, register.type());
    registers[register.id()] = lanes;
  }

  private long word(Operand operand) {
    require(operand.type().isWord(), "a word is expected, not %s", operand);
    return value(operand)[0];
  }

  private long[] value(Operand operand) {
    return switch (operand) {
      case Imm(long value) -> new long[] {value};
      case Const constant -> {
        long[] lanes = new long[constant.type().lanes()];
        for (int i = 0; i < lanes.length; i++) {
          lanes[i] = LirArithmetic.low(constant.lane(i), constant.type().bits());
        }
        yield lanes;
      }
      case Reg register -> {
        long[] lanes = registers[register.id()];
        if (lanes == null) {
          throw new IllegalStateException(register + " is read before it is defined");
        }
        yield lanes;
      }
    };
  }

  private long read(long address, int bits) {
    MemorySegment at = segment(address, bits / Byte.SIZE);
    return switch (bits) {
      case 8 -> at.get(ValueLayout.JAVA_BYTE, 0) & 0xFFL;
      case 16 -> at.get(ValueLayout.JAVA_SHORT_UNALIGNED, 0) & 0xFFFFL;
      case 32 -> at.get(ValueLayout.JAVA_INT_UNALIGNED, 0) & 0xFFFF_FFFFL;
      case 64 -> at.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
      default -> throw new IllegalStateException("elements of " + bits + " bits");
    };
  }

  private void write(long address, int bits, long value) {
    MemorySegment at = segment(address, bits / Byte.SIZE);
    switch (bits) {
      case 8 -> at.set(ValueLayout.JAVA_BYTE, 0, (byte) value);
      case 16 -> at.set(ValueLayout.JAVA_SHORT_UNALIGNED, 0, (short) value);
      case 32 -> at.set(ValueLayout.JAVA_INT_UNALIGNED, 0, (int) value);
      case 64 -> at.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, value);
      default -> throw new IllegalStateException("elements of " + bits + " bits");
    }
  }

  private MemorySegment segment(long address, int bytes) {
    for (MemorySegment segment : memory) {
      long offset = address - segment.address();
      if (offset >= 0 && offset <= segment.byteSize() - bytes) {
        return segment.asSlice(offset, bytes);
      }
    }
    throw new IllegalStateException(
        "%d bytes at 0x%x are not in the memory of the run".formatted(bytes, address));
  }

  private static void require(boolean holds, String message, Object... args) {
    if (!holds) {
      throw new IllegalStateException(message.formatted(args));
    }
  }
}
