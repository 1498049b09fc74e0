package org.relaxvm.api;

import org.jspecify.annotations.Nullable;

/**
 * Takes the result of a call: null, an integer, a boolean, a float or a reference. Scalars are not
 * boxed.
 *
 * <p>A managed value that is set here transfers one owner to the result, and so to the caller: a
 * function returns what it made as it is, and retains what it does not own. Setting again releases
 * what was set before.
 *
 * <p>Not thread-safe: used by the calling thread, reused for many calls.
 */
public final class CallResult {
  private @Nullable Object ref;
  private long bits;

  /** Creates an empty (null) result. */
  public CallResult() {}

  /** Sets null. */
  public void setNull() {
    replace(null, 0);
  }

  /** Sets an integer. */
  public void setLong(long value) {
    replace(ScalarTag.INT, value);
  }

  /** Sets a boolean. */
  public void setBoolean(boolean value) {
    replace(ScalarTag.BOOL, value ? 1 : 0);
  }

  /** Sets a float. */
  public void setDouble(double value) {
    replace(ScalarTag.FLOAT, Double.doubleToRawLongBits(value));
  }

  /** Sets a value of any kind and takes over one owner of it; boxed scalars are unboxed. */
  public void set(@Nullable Object value) {
    ScalarTag tag = ScalarTag.of(value);
    if (tag != null && value != null) {
      replace(tag, tag.bitsOf(value));
    } else {
      replace(value, 0);
    }
  }

  /** Sets an argument of the call as its result, which retains it. */
  public void setArgument(CallArgs args, int index) {
    Object argument = args.ref(index);
    Managed.retain(argument);
    replace(argument, args.bits(index));
  }

  /** The reference half of the tagged value, borrowed; see {@link ScalarTag}. */
  public @Nullable Object ref() {
    return ref;
  }

  /** The scalar half of the tagged value. */
  public long bits() {
    return bits;
  }

  /** The reference half, with its owner; the result is null afterwards. */
  public @Nullable Object takeRef() {
    Object taken = ref;
    ref = null;
    return taken;
  }

  /**
   * The result as a value for a user: a managed result is given out as a handle of its own. The
   * result is null afterwards.
   */
  public Value takeValue() {
    long scalar = bits;
    Object taken = takeRef();
    if (taken instanceof Managed managed) {
      try {
        return Value.owned(managed.newHandle());
      } finally {
        managed.release();
      }
    }
    return Value.owned(taken instanceof ScalarTag tag ? tag.box(scalar) : taken);
  }

  private void replace(@Nullable Object newRef, long newBits) {
    Object old = ref;
    ref = newRef;
    bits = newBits;
    Managed.release(old);
  }
}
