package org.relaxvm.api;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The arguments of a call: a view of registers and constants, made without boxing and without an
 * array per call. Valid during the call only; all values in it are borrowed.
 *
 * <p>Accessors check the kind of the value and raise a {@code TypeError} that names the argument.
 * Integers and booleans convert to each other and to floats as in Apache TVM: an int accepts a
 * bool, a float accepts both.
 *
 * <p>Not thread-safe: used by the calling thread. A function that hands work to other threads reads
 * its arguments first.
 */
public final class CallArgs {
  private static final int[] NO_OPERANDS = {};

  private @Nullable Object[] refs;
  private long[] bits;
  private int base;
  private @Nullable Object[] constantRefs = new Object[0];
  private long[] constantBits = new long[0];
  private int[] operands = NO_OPERANDS;
  private int first;
  private int count;
  private @Nullable VmContext context;

  private CallArgs(@Nullable Object[] refs, long[] bits, int count) {
    this.refs = refs;
    this.bits = bits;
    this.count = count;
  }

  /** Arguments of a call from Java: values of the kinds that {@link Value} lists, borrowed. */
  public static CallArgs of(@Nullable Object... values) {
    return of(null, values);
  }

  /** Arguments of a call that a function makes itself, within the VM call it runs in. */
  public static CallArgs of(@Nullable VmContext context, @Nullable Object[] values) {
    int n = values.length;
    @Nullable Object[] refs = new Object[n];
    long[] bits = new long[n];
    int[] operands = new int[n];
    for (int i = 0; i < n; i++) {
      Object value = values[i];
      ScalarTag tag = ScalarTag.of(value);
      refs[i] = tag != null ? tag : value;
      bits[i] = tag != null && value != null ? tag.bitsOf(value) : 0;
      operands[i] = i;
    }
    CallArgs args = new CallArgs(refs, bits, n);
    args.operands = operands;
    args.context = context;
    return args;
  }

  /**
   * Arguments that a function makes itself as tagged values, without boxing.
   *
   * @param refs reference halves, borrowed: null, a {@link ScalarTag} or the value
   * @param bits scalar halves; must be as many as {@code refs}
   */
  public static CallArgs ofTagged(
      @Nullable VmContext context, @Nullable Object[] refs, long[] bits) {
    int[] operands = new int[refs.length];
    for (int i = 0; i < operands.length; i++) {
      operands[i] = i;
    }
    CallArgs args = new CallArgs(refs, bits, refs.length);
    args.operands = operands;
    args.context = context;
    return args;
  }

  /**
   * An empty view for an engine, which points it at registers with {@link #bind} before each call.
   *
   * @param context what {@link #context()} gives to the functions called
   */
  public static CallArgs forEngine(VmContext context) {
    CallArgs args = new CallArgs(new Object[0], new long[0], 0);
    args.context = context;
    return args;
  }

  /**
   * Points the view at an engine's registers. Operand {@code k >= 0} is register {@code base + k},
   * operand {@code k < 0} is constant {@code ~k}.
   *
   * @param refs reference halves of the register file
   * @param bits scalar halves of the register file
   * @param base index of the frame's register 0
   * @param constantRefs reference halves of the function's constants
   * @param constantBits scalar halves of the function's constants
   * @param operands operands of many calls, one after the other
   * @param first index of this call's first operand
   * @param count number of this call's operands
   */
  public void bind(
      @Nullable Object[] refs,
      long[] bits,
      int base,
      @Nullable Object[] constantRefs,
      long[] constantBits,
      int[] operands,
      int first,
      int count) {
    this.refs = refs;
    this.bits = bits;
    this.base = base;
    this.constantRefs = constantRefs;
    this.constantBits = constantBits;
    this.operands = operands;
    this.first = first;
    this.count = count;
  }

  /**
   * A view of the arguments from {@code n} on, for a function that passes them to another. Nothing
   * is copied or boxed; valid as long as this view is.
   *
   * @throws CallException a {@code TypeError} when there are fewer than {@code n} arguments
   */
  public CallArgs dropFirst(int n) {
    requireFirst(n);
    CallArgs rest = new CallArgs(refs, bits, count - n);
    rest.base = base;
    rest.constantRefs = constantRefs;
    rest.constantBits = constantBits;
    rest.operands = operands;
    rest.first = first + n;
    rest.context = context;
    return rest;
  }

  /**
   * Moves a view that {@link #bind} pointed at registers to another call over the same arrays:
   * cheaper than binding again.
   *
   * @param base as for {@link #bind}
   * @param first as for {@link #bind}
   * @param count as for {@link #bind}
   */
  public void moveTo(int base, int first, int count) {
    this.base = base;
    this.first = first;
    this.count = count;
  }

  /** The number of arguments. */
  public int count() {
    return count;
  }

  /**
   * The VM call that this call is part of.
   *
   * @throws CallException when the function is called from Java, outside of any VM
   */
  public VmContext context() {
    if (context == null) {
      throw new CallException(
          ErrorKind.VALUE,
          "this function works only when a VM calls it: it needs the VM's context");
    }
    return context;
  }

  /** The VM call that this call is part of, or null when there is none. */
  public @Nullable VmContext contextOrNull() {
    return context;
  }

  /** The reference half of argument {@code index}: null, a {@link ScalarTag} or the value. */
  public @Nullable Object ref(int index) {
    int operand = operands[checked(index)];
    return operand >= 0 ? refs[base + operand] : constantRefs[~operand];
  }

  /** The scalar half of argument {@code index}. */
  public long bits(int index) {
    int operand = operands[checked(index)];
    return operand >= 0 ? bits[base + operand] : constantBits[~operand];
  }

  /** Argument {@code index} of any kind; scalars are boxed. */
  public @Nullable Object at(int index) {
    Object ref = ref(index);
    return ref instanceof ScalarTag tag ? tag.box(bits(index)) : ref;
  }

  /** Whether argument {@code index} is null. */
  public boolean isNull(int index) {
    return ref(index) == null;
  }

  /** Argument {@code index} as an integer; a boolean is 0 or 1. */
  public long longAt(int index) {
    Object ref = ref(index);
    if (ref == ScalarTag.INT || ref == ScalarTag.BOOL) {
      return bits(index);
    }
    throw mismatch(index, "int");
  }

  /**
   * Argument {@code index} as an integer of 32 bits.
   *
   * @throws CallException a {@code ValueError} when it does not fit
   */
  public int intAt(int index) {
    long value = longAt(index);
    if (value != (int) value) {
      throw new CallException(
          ErrorKind.VALUE, "argument #" + index + " must fit 32 bits, but is " + value);
    }
    return (int) value;
  }

  /** Argument {@code index} as a boolean; an integer is true when it is not 0. */
  public boolean booleanAt(int index) {
    Object ref = ref(index);
    if (ref == ScalarTag.INT || ref == ScalarTag.BOOL) {
      return bits(index) != 0;
    }
    throw mismatch(index, "bool");
  }

  /** Argument {@code index} as a float; integers and booleans convert. */
  public double doubleAt(int index) {
    Object ref = ref(index);
    if (ref == ScalarTag.FLOAT) {
      return Double.longBitsToDouble(bits(index));
    }
    if (ref == ScalarTag.INT || ref == ScalarTag.BOOL) {
      return (double) bits(index);
    }
    throw mismatch(index, "float");
  }

  /** Argument {@code index} as a tensor, borrowed. */
  public Tensor tensorAt(int index) {
    return ref(index) instanceof Tensor tensor ? tensor : refuse(index, "ffi.Tensor");
  }

  /** Argument {@code index} as a shape. */
  public Shape shapeAt(int index) {
    return ref(index) instanceof Shape shape ? shape : refuse(index, "ffi.Shape");
  }

  /** Argument {@code index} as a string. */
  public String stringAt(int index) {
    return ref(index) instanceof String string ? string : refuse(index, "ffi.String");
  }

  /** Argument {@code index} as a dtype. */
  public DType dtypeAt(int index) {
    return ref(index) instanceof DType dtype ? dtype : refuse(index, "DataType");
  }

  /** Argument {@code index} as a tuple, borrowed. */
  public Tuple tupleAt(int index) {
    return ref(index) instanceof Tuple tuple ? tuple : refuse(index, "ffi.Array");
  }

  /** Argument {@code index} as a storage, borrowed. */
  public Storage storageAt(int index) {
    return ref(index) instanceof Storage storage ? storage : refuse(index, "vm.Storage");
  }

  /** Argument {@code index} as the VM's context, which bytecode passes as {@code %vm}. */
  public VmContext contextAt(int index) {
    return ref(index) instanceof VmContext vm ? vm : refuse(index, "void*");
  }

  /** What messages call the kind of argument {@code index}, such as {@code ffi.Tensor}. */
  public String typeKeyAt(int index) {
    return TypeKeys.of(ref(index));
  }

  /** All arguments, borrowed, scalars boxed. */
  public @Nullable Object[] toArray() {
    return toArray(0);
  }

  /** The arguments from {@code from} on, borrowed, scalars boxed. */
  public @Nullable Object[] toArray(int from) {
    requireFirst(from);
    @Nullable Object[] values = new Object[count - from];
    for (int i = from; i < count; i++) {
      values[i - from] = at(i);
    }
    return values;
  }

  /**
   * Checks the number of arguments.
   *
   * @param signature how the function is called, such as {@code copy(x)}
   * @throws CallException a {@code TypeError} when it is another
   */
  public void requireCount(String signature, int expected) {
    if (count != expected) {
      throw new CallException(
              ErrorKind.TYPE,
              signature
                  + " takes "
                  + expected
                  + (expected == 1 ? " argument" : " arguments")
                  + ", but got "
                  + count)
          .withTvmMessage(
              "Mismatched number of arguments when calling: `"
                  + signature
                  + "`. Expected "
                  + expected
                  + " but got "
                  + count
                  + " arguments");
    }
  }

  private void requireFirst(int n) {
    if (n < 0 || n > count) {
      throw missing(n - 1);
    }
  }

  private int checked(int index) {
    if (index < 0 || index >= count) {
      throw missing(index);
    }
    return first + index;
  }

  private CallException missing(int index) {
    return new CallException(
        ErrorKind.TYPE,
        "argument #"
            + index
            + " is missing: the call has "
            + count
            + (count == 1 ? " argument" : " arguments"));
  }

  private <T> T refuse(int index, String expected) {
    throw mismatch(index, expected);
  }

  /**
   * The {@code TypeError} for an argument of the wrong kind, for a caller to throw.
   *
   * @param expected the type key of the kind, such as {@code ffi.Tensor}
   */
  public CallException mismatch(int index, String expected) {
    String got = typeKeyAt(index);
    return new CallException(
            ErrorKind.TYPE,
            "argument #"
                + index
                + " must be "
                + TypeKeys.describeKey(expected)
                + ", but is "
                + TypeKeys.describeKey(got))
        .withTvmMessage(
            "Mismatched type on argument #"
                + index
                + ". Expected `"
                + expected
                + "` but got `"
                + got
                + "`");
  }
}
