package org.relaxvm.interoptvm.call;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;

/** The tensors that were made for the arguments of one call from compiled code. */
final class ArgumentScope implements AutoCloseable {
  private final @Nullable Tensor[] made;
  private int count;

  ArgumentScope(int arguments) {
    made = new Tensor[arguments];
  }

  Tensor keep(Tensor tensor) {
    made[count++] = tensor;
    return tensor;
  }

  @Override
  public void close() {
    while (count > 0) {
      Tensor tensor = made[--count];
      if (tensor != null) {
        tensor.close();
      }
    }
  }
}
