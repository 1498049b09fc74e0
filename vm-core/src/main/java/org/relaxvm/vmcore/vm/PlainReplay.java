package org.relaxvm.vmcore.vm;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * Makes the call itself, and copies its result to where the first one lies, so that it behaves as a
 * recording does.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why does a plain call that replaces a recording copy
 * its result?"
 */
final class PlainReplay implements Replay {
  private final String function;
  private final Supplier<Value> call;
  private @Nullable Value first;

  /**
   * Replays of a function.
   *
   * @param call makes the call; the result is the caller's
   */
  PlainReplay(String function, Supplier<Value> call) {
    this.function = function;
    this.call = call;
  }

  @Override
  public void run() {
    Value known = first;
    if (known == null) {
      first = call.get();
    } else {
      try (Value next = call.get()) {
        copy(next.object(), known.object());
      }
    }
  }

  private void copy(@Nullable Object from, @Nullable Object to) {
    switch (from) {
      case Tensor tensor when to instanceof Tensor target && isLike(tensor, target) -> {
        if (!isSameMemory(tensor, target)) {
          tensor.copyInto(target);
        }
      }
      case Tuple tuple when to instanceof Tuple target && tuple.size() == target.size() -> {
        List<@Nullable Object> fields = tuple.fields();
        for (int i = 0; i < fields.size(); i++) {
          copy(fields.get(i), target.get(i));
        }
      }
      case null, default -> {
        if (from instanceof Tensor || from instanceof Tuple || !Objects.equals(from, to)) {
          throw changed(from, to);
        }
      }
    }
  }

  private static boolean isLike(Tensor tensor, Tensor other) {
    return tensor.dtype().equals(other.dtype()) && tensor.shape().equals(other.shape());
  }

  /** Such as for a result that is an argument: it has its content already. */
  private static boolean isSameMemory(Tensor tensor, Tensor other) {
    return tensor.storage().memory().equals(other.storage().memory())
        && tensor.byteOffset() == other.byteOffset()
        && Arrays.equals(tensor.strides(), other.strides());
  }

  private CallException changed(@Nullable Object from, @Nullable Object to) {
    return new CallException(
        ErrorKind.VALUE,
        "a replay of function "
            + function
            + " gave another kind of result: expected "
            + to
            + " as in the first one, got "
            + from
            + "\n"
            + "  only the elements of tensors may change from replay to replay\n"
            + "  what to do: call the function without a capture");
  }

  @Override
  public @Nullable Object result() {
    return first == null ? null : first.object();
  }

  @Override
  public int size() {
    return 0;
  }

  @Override
  public void close() {
    if (first != null) {
      first.close();
    }
  }
}
