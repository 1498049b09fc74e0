package org.relaxvm.backendsupport.gpu.module;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.codegen.LaunchSource.Parameter;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Var;

/**
 * Everything that the launches of a kernel may be given, by number: the memory of each buffer, the
 * offsets, the variables as indices, the variables as numbers, and the first work-group along each
 * axis. Launches know their parameters as numbers in it, so that a call looks nothing up. Immutable
 * and thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-support.md, "What does a call keep for the next one?"
 */
final class ArgumentTable {
  private static final int AXES = 3;
  private static final KernelArgument NARROW_START = KernelArgument.Scalar.of(0);
  private static final KernelArgument WIDE_START = KernelArgument.Scalar.of(0L);

  private final Map<Buffer, Integer> buffers = new HashMap<>();
  private final Map<Var, Integer> variables = new HashMap<>();
  private final List<Var> numbered;
  private final int[] elementBytes;
  private final boolean hasFloat64;
  private final boolean addressesIncludeOffsets;

  /**
   * The arguments of a kernel.
   *
   * @param buffers those of its parameters, then its temporaries
   * @param variables in the order of their values
   * @param dialect of the launches
   */
  ArgumentTable(List<Buffer> buffers, List<Var> variables, Dialect dialect) {
    for (Buffer buffer : buffers) {
      this.buffers.put(buffer, this.buffers.size());
    }
    for (Var var : variables) {
      this.variables.put(var, this.variables.size());
    }
    this.numbered = List.copyOf(variables);
    this.elementBytes =
        buffers.stream().mapToInt(buffer -> buffer.dtype().elementByteSize()).toArray();
    this.hasFloat64 = dialect.computes(DType.FLOAT64);
    this.addressesIncludeOffsets = dialect.addressesIncludeOffsets();
  }

  /** Which entries a launch is given, in the order of its parameters. */
  int[] entries(List<Parameter> parameters) {
    int[] entries = new int[parameters.size()];
    for (int i = 0; i < entries.length; i++) {
      entries[i] =
          switch (parameters.get(i)) {
            case Parameter.Memory(Buffer buffer) -> number(buffers, buffer);
            case Parameter.Offset(Buffer buffer) -> buffers.size() + number(buffers, buffer);
            case Parameter.Number(Var var, boolean index) ->
                2 * buffers.size() + (index ? 0 : numbered.size()) + number(variables, var);
            case Parameter.FirstWorkGroup(int axis, long most) -> firstWorkGroups() + axis;
          };
    }
    return entries;
  }

  private int firstWorkGroups() {
    return 2 * (buffers.size() + numbered.size());
  }

  private static <T> int number(Map<T, Integer> numbers, T thing) {
    Integer number = numbers.get(thing);
    if (number == null) {
      throw new IllegalStateException("a launch needs " + thing + ", which its kernel lacks");
    }
    return number;
  }

  /** A table for these values of variables, whose buffers start at the begin of no memory yet. */
  KernelArgument[] of(long[] values, boolean wide) {
    KernelArgument[] table = new KernelArgument[firstWorkGroups() + AXES];
    Arrays.fill(table, wide ? WIDE_START : NARROW_START);
    int first = 2 * buffers.size();
    for (int i = 0; i < values.length; i++) {
      boolean index = wide || values[i] == (int) values[i];
      if (index && numbered.get(i).dtype().equals(DType.INT64)) {
        table[first + i] = index(values[i], wide);
      }
      table[first + values.length + i] = number(numbered.get(i).dtype(), values[i]);
    }
    return table;
  }

  /**
   * Says where a buffer is.
   *
   * @param byteOffset of whole elements
   */
  void setBuffer(
      KernelArgument[] table, int buffer, DeviceMemory block, long byteOffset, boolean wide) {
    if (addressesIncludeOffsets) {
      table[buffer] = new KernelArgument.Memory(block, byteOffset);
      return;
    }
    table[buffer] = new KernelArgument.Memory(block);
    if (byteOffset != 0) {
      table[buffers.size() + buffer] = index(byteOffset / elementBytes[buffer], wide);
    }
  }

  /**
   * The same for a launch that begins with other work-groups than the first ones.
   *
   * @param first work-group along each axis; none for a launch that begins with the first ones
   */
  KernelArgument[] from(KernelArgument[] table, List<Long> first, boolean wide) {
    if (first.isEmpty()) {
      return table;
    }
    KernelArgument[] other = table.clone();
    for (int axis = 0; axis < first.size(); axis++) {
      other[firstWorkGroups() + axis] = index(first.get(axis), wide);
    }
    return other;
  }

  private static KernelArgument index(long value, boolean wide) {
    return wide
        ? KernelArgument.Scalar.of(value)
        : KernelArgument.Scalar.of(Math.toIntExact(value));
  }

  private KernelArgument number(DType dtype, long bits) {
    if (dtype.equals(DType.FLOAT64) && !hasFloat64) {
      return KernelArgument.Scalar.of((float) Double.longBitsToDouble(bits));
    }
    return dtype.bits() == 64
        ? KernelArgument.Scalar.of(bits)
        : KernelArgument.Scalar.of((int) bits);
  }
}
