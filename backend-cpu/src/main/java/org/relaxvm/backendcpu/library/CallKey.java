package org.relaxvm.backendcpu.library;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;

/** The dtypes and shapes of the tensors of a call, and its attributes. Immutable. */
final class CallKey {
  private final @Nullable Object[] parts;
  private final int hash;

  private CallKey(@Nullable Object[] parts) {
    this.parts = parts;
    this.hash = Arrays.hashCode(parts);
  }

  /** The key of a call whose arguments have the kinds of a signature. */
  static CallKey of(CallArgs args) {
    @Nullable Object[] parts = new Object[2 * args.count()];
    for (int i = 0; i < args.count(); i++) {
      switch (args.ref(i)) {
        case Tensor tensor -> {
          parts[2 * i] = tensor.dtype();
          parts[2 * i + 1] = tensor.shape();
        }
        case Tuple tuple -> parts[2 * i] = fields(tuple);
        case null, default -> parts[2 * i] = args.at(i);
      }
    }
    return new CallKey(parts);
  }

  private static CallKey fields(Tuple tuple) {
    @Nullable Object[] parts = new Object[2 * tuple.size()];
    for (int field = 0; field < tuple.size(); field++) {
      if (tuple.get(field) instanceof Tensor tensor) {
        parts[2 * field] = tensor.dtype();
        parts[2 * field + 1] = tensor.shape();
      }
    }
    return new CallKey(parts);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof CallKey key && hash == key.hash && Arrays.equals(parts, key.parts);
  }
}
