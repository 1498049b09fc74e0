package org.relaxvm.api;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.engine.RegisterArgs;
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
public abstract sealed class CallArgs permits RegisterArgs {
  /** For the one implementation. */
  protected CallArgs() {}

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
    return new RegisterArgs(context, refs, bits, operands);
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
    return new RegisterArgs(context, refs, bits, operands);
  }

  /**
   * A view of the arguments from {@code n} on, for a function that passes them to another. Nothing
   * is copied or boxed; valid as long as this view is.
   *
   * @throws CallException a {@code TypeError} when there are fewer than {@code n} arguments
   */
  public abstract CallArgs dropFirst(int n);

  /** The number of arguments. */
  public abstract int count();

  /**
   * The VM call that this call is part of.
   *
   * @throws CallException when the function is called from Java, outside of any VM
   */
  public VmContext context() {
    VmContext context = contextOrNull();
    if (context == null) {
      throw new CallException(
          ErrorKind.VALUE,
          "this function works only when a VM calls it: it needs the VM's context");
    }
    return context;
  }

  /** The VM call that this call is part of, or null when there is none. */
  public abstract @Nullable VmContext contextOrNull();

  /** The reference half of argument {@code index}: null, a {@link ScalarTag} or the value. */
  public abstract @Nullable Object ref(int index);

  /** The scalar half of argument {@code index}. */
  public abstract long bits(int index);

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
    CallArgs wanted = from == 0 ? this : dropFirst(from);
    @Nullable Object[] values = new Object[wanted.count()];
    for (int i = 0; i < values.length; i++) {
      values[i] = wanted.at(i);
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
    int count = count();
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
