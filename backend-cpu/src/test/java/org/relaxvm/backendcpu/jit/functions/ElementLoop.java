package org.relaxvm.backendcpu.jit.functions;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;

/**
 * A function of one or two lanes in a loop over arrays. Its block holds the addresses of the
 * arguments and of the results after the failure slots.
 *
 * @param function whole vectors are computed
 * @param operand the type of arguments
 * @param result the type of results
 */
record ElementLoop(LirFunction function, Type operand, Type result) {
  /** Writes what is done to lanes. */
  interface Body {
    Reg write(LirWriter writer, Reg x, Reg y);
  }

  private static final int FIRST = LirFunction.FAILURE_SLOTS * Long.BYTES;

  /** Writes a loop; conditions become 1 and 0 in floats. */
  static ElementLoop of(Type operand, Body body) {
    return of(operand, null, body);
  }

  /** Writes a loop; conditions become floats unless a word is expected. */
  static ElementLoop of(Type operand, @Nullable Type expected, Body body) {
    LirWriter writer = new LirWriter("elements");
    Reg x = writer.loadWord(writer.block(), FIRST);
    Reg y = writer.loadWord(writer.block(), FIRST + 8);
    Reg out = writer.loadWord(writer.block(), FIRST + 16);
    Reg counter = writer.compute(Op.MOVE, Type.WORD, writer.from());
    writer.open();
    int size = operand.bits() / Byte.SIZE;
    Reg value =
        body.write(
            writer,
            writer.load(
                operand, new Address(x, counter, size, 0), operand.bits(), true, false, null),
            writer.load(
                operand, new Address(y, counter, size, 0), operand.bits(), true, false, null));
    Type type = value.type();
    if (type.isMask()) {
      Type floats = Type.floats(Math.max(32, type.bits()), type.lanes());
      value = writer.blend(value, writer.constant(floats, 1), writer.constant(floats, 0));
    } else if (type.isWord() && operand.isFloat() && expected == null) {
      value = writer.compute(Op.TO_FLOAT, operand, value);
    }
    int scale = value.type().bits() / Byte.SIZE;
    writer.store(new Address(out, counter, scale, 0), value, value.type().bits(), null);
    List<Lir> statements = writer.close();
    writer.add(new Lir.Loop(counter, writer.to(), operand.lanes(), false, statements));
    return new ElementLoop(writer.finish(), operand, value.type());
  }

  /** Computes all elements; as many as whole vectors have. */
  long[] run(Machine machine, long[] x, long[] y) {
    int lanes = operand.lanes();
    int count = (x.length + lanes - 1) / lanes * lanes;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment block = arena.allocate(FIRST + 24, 64);
      MemorySegment first = copy(arena, x, count);
      MemorySegment second = copy(arena, y, count);
      MemorySegment out = arena.allocate((long) count * result.bits() / Byte.SIZE, 64);
      block.set(ValueLayout.JAVA_LONG, FIRST, first.address());
      block.set(ValueLayout.JAVA_LONG, FIRST + 8, second.address());
      block.set(ValueLayout.JAVA_LONG, FIRST + 16, out.address());
      machine.run(function, block, count, first, second, out);
      long[] results = new long[x.length];
      for (int i = 0; i < results.length; i++) {
        results[i] = get(out, result.bits(), i);
      }
      return results;
    }
  }

  private MemorySegment copy(Arena arena, long[] from, int count) {
    int bits = operand.bits();
    MemorySegment to = arena.allocate((long) count * bits / Byte.SIZE, 64);
    for (int i = 0; i < from.length; i++) {
      switch (bits) {
        case 8 -> to.set(ValueLayout.JAVA_BYTE, i, (byte) from[i]);
        case 16 -> to.setAtIndex(ValueLayout.JAVA_SHORT, i, (short) from[i]);
        case 32 -> to.setAtIndex(ValueLayout.JAVA_INT, i, (int) from[i]);
        default -> to.setAtIndex(ValueLayout.JAVA_LONG, i, from[i]);
      }
    }
    return to;
  }

  private static long get(MemorySegment from, int bits, int i) {
    return switch (bits) {
      case 8 -> from.get(ValueLayout.JAVA_BYTE, i);
      case 16 -> from.getAtIndex(ValueLayout.JAVA_SHORT, i);
      case 32 -> from.getAtIndex(ValueLayout.JAVA_INT, i);
      default -> from.getAtIndex(ValueLayout.JAVA_LONG, i);
    };
  }

  /** Computes float64 or float32, each given and returned as double. */
  double[] run(Machine machine, double[] x, double[] y) {
    long[] results = run(machine, bits(x), bits(y));
    double[] values = new double[results.length];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          result.bits() == 32
              ? Float.intBitsToFloat((int) results[i])
              : Double.longBitsToDouble(results[i]);
    }
    return values;
  }

  private long[] bits(double[] values) {
    long[] bits = new long[values.length];
    for (int i = 0; i < bits.length; i++) {
      bits[i] =
          operand.bits() == 32
              ? Float.floatToRawIntBits((float) values[i])
              : Double.doubleToRawLongBits(values[i]);
    }
    return bits;
  }
}
