package org.relaxvm.builtins;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.engine.CallSite;
import org.relaxvm.api.engine.DirectCall;
import org.relaxvm.api.engine.Registers;

/** Direct forms of {@link ShapeBuiltins}, for constant codes and operands. */
final class DirectShapes {
  private DirectShapes() {}

  static @Nullable DirectCall matchShape(CallSite site) {
    if (site.count() < 3 || !site.isRegister(0) || !site.isRegister(1) || !site.isConstantInt(2)) {
      return null;
    }
    Steps steps = Steps.of(site, 2, ShapeBuiltins.ASSERT_EQUAL_TO_LOAD);
    return steps == null || steps.readsBeforeStores()
        ? null
        : new MatchShape(site.register(0), site.register(1), steps, site.destination());
  }

  static @Nullable DirectCall makeShape(CallSite site) {
    if (site.count() < 2 || !site.isRegister(0) || !site.isConstantInt(1)) {
      return null;
    }
    Steps steps = Steps.of(site, 1, ShapeBuiltins.LOAD_SHAPE);
    return steps == null ? null : new MakeShape(site.register(0), steps, site.destination());
  }

  static @Nullable DirectCall matchPrimValue(CallSite site) {
    if (site.count() != 5 || !site.isRegister(0) || !site.isRegister(1)) {
      return null;
    }
    Steps step = Steps.one(site, 2, ShapeBuiltins.ASSERT_EQUAL_TO_LOAD);
    return step == null
        ? null
        : new MatchPrimValue(site.register(0), site.register(1), step, site.destination());
  }

  static @Nullable DirectCall makePrimValue(CallSite site) {
    if (site.count() != 3 || !site.isRegister(0)) {
      return null;
    }
    Steps step = Steps.one(site, 1, ShapeBuiltins.LOAD_SHAPE);
    return step == null ? null : new MakePrimValue(site.register(0), step, site.destination());
  }

  /**
   * Pairs of a code and an operand.
   *
   * @param slots how many slots the heap must have
   */
  @SuppressWarnings("ArrayRecordComponent") // never changed
  record Steps(int[] codes, long[] operands, long slots) {
    private static final long MOST_SLOTS = 1 << 24;

    /** The pairs after their number, which is operand {@code index}; null if one is unusual. */
    static @Nullable Steps of(CallSite site, int index, int lastCode) {
      long count = site.constantBits(index);
      return count < 0 || count > (site.count() - index - 1) / 2
          ? null
          : of(site, index + 1, (int) count, lastCode);
    }

    static @Nullable Steps one(CallSite site, int index, int lastCode) {
      return of(site, index, 1, lastCode);
    }

    private static @Nullable Steps of(CallSite site, int first, int count, int lastCode) {
      if (!site.areConstantInts(first, first + 2 * count)) {
        return null;
      }
      int[] codes = new int[count];
      long[] operands = new long[count];
      long slots = 0;
      for (int i = 0; i < count; i++) {
        long code = site.constantBits(first + 2 * i);
        long operand = site.constantBits(first + 2 * i + 1);
        if (code < 0 || code > lastCode) {
          return null;
        }
        if (code == ShapeBuiltins.STORE_TO_HEAP || code == ShapeBuiltins.ASSERT_EQUAL_TO_LOAD) {
          if (operand < 0 || operand >= MOST_SLOTS) {
            return null;
          }
          slots = Math.max(slots, operand + 1);
        }
        codes[i] = (int) code;
        operands[i] = operand;
      }
      return new Steps(codes, operands, slots);
    }

    int count() {
      return codes.length;
    }

    /**
     * Whether a slot is stored after it was read, so that a second run would read another value.
     */
    boolean readsBeforeStores() {
      for (int i = 0; i < codes.length; i++) {
        for (int k = i + 1; k < codes.length; k++) {
          if (codes[i] == ShapeBuiltins.ASSERT_EQUAL_TO_LOAD
              && codes[k] == ShapeBuiltins.STORE_TO_HEAP
              && operands[i] == operands[k]) {
            return true;
          }
        }
      }
      return false;
    }

    /** The memory of a heap with enough slots; null if there is none. */
    @Nullable MemorySegment memory(@Nullable Object heap) {
      return slots == 0
          ? MemorySegment.NULL
          : heap instanceof Tensor tensor && ShapeHeap.isHeap(tensor, slots)
              ? ShapeHeap.memory(tensor)
              : null;
    }

    boolean match(int i, long value, MemorySegment memory, long start) {
      long operand = operands[i];
      return switch (codes[i]) {
        case ShapeBuiltins.STORE_TO_HEAP -> {
          ShapeHeap.set(memory, start, operand, value);
          yield true;
        }
        case ShapeBuiltins.ASSERT_EQUAL_TO_LOAD -> value == ShapeHeap.get(memory, start, operand);
        case ShapeBuiltins.ASSERT_EQUAL_TO_IMMEDIATE -> value == operand;
        default -> true;
      };
    }

    long make(int i, MemorySegment memory, long start) {
      long operand = operands[i];
      return codes[i] == ShapeBuiltins.LOAD_SHAPE ? ShapeHeap.get(memory, start, operand) : operand;
    }
  }

  private static long start(@Nullable Object heap) {
    return heap instanceof Tensor tensor ? tensor.byteOffset() : 0;
  }

  record MatchShape(int value, int heap, Steps steps, int destination) implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      Object given = refs[base + value];
      Shape shape =
          given instanceof Tensor tensor
              ? tensor.shape()
              : given instanceof Shape itself ? itself : null;
      Object slots = refs[base + heap];
      MemorySegment memory = steps.memory(slots);
      if (shape == null || memory == null || shape.rank() != steps.count()) {
        return false;
      }
      long start = start(slots);
      for (int i = 0; i < steps.count(); i++) {
        if (!steps.match(i, shape.dim(i), memory, start)) {
          return false;
        }
      }
      Registers.write(refs, bits, base, destination, null, 0);
      return true;
    }
  }

  record MakeShape(int heap, Steps steps, int destination) implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      Object slots = refs[base + heap];
      MemorySegment memory = steps.memory(slots);
      if (memory == null) {
        return false;
      }
      long start = start(slots);
      long[] dims = new long[steps.count()];
      for (int i = 0; i < dims.length; i++) {
        dims[i] = steps.make(i, memory, start);
      }
      Registers.write(refs, bits, base, destination, Shape.ofOwned(dims), 0);
      return true;
    }
  }

  record MatchPrimValue(int value, int heap, Steps steps, int destination) implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      Object tag = refs[base + value];
      Object slots = refs[base + heap];
      MemorySegment memory = steps.memory(slots);
      if ((tag != ScalarTag.INT && tag != ScalarTag.BOOL)
          || memory == null
          || !steps.match(0, bits[base + value], memory, start(slots))) {
        return false;
      }
      Registers.write(refs, bits, base, destination, null, 0);
      return true;
    }
  }

  record MakePrimValue(int heap, Steps steps, int destination) implements DirectCall {
    @Override
    public boolean call(@Nullable Object[] refs, long[] bits, int base) {
      Object slots = refs[base + heap];
      MemorySegment memory = steps.memory(slots);
      if (memory == null) {
        return false;
      }
      long made = steps.make(0, memory, start(slots));
      Registers.write(refs, bits, base, destination, ScalarTag.INT, made);
      return true;
    }
  }
}
