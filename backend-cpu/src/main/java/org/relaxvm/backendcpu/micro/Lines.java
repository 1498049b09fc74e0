package org.relaxvm.backendcpu.micro;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.vector.gemm.RowFinish;

/** Arrays for rows of the output. */
final class Lines<A> implements RowFinish.Lines<A> {
  private final Codec<A> codec;
  private @Nullable A line;
  private @Nullable A extra;
  private int length;

  Lines(Codec<A> codec) {
    this.codec = codec;
  }

  @Override
  public A line(int wanted) {
    A found = line;
    if (found == null || length < wanted) {
      found = codec.lanes().array(wanted);
      line = found;
      extra = codec.lanes().array(wanted);
      length = wanted;
    }
    return found;
  }

  @Override
  public A extra() {
    A found = extra;
    if (found == null) {
      throw new IllegalStateException("there is no line yet");
    }
    return found;
  }
}
