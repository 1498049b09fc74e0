package org.relaxvm.compiler.pass.simplify;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.RelaxVar;

/** Values as keys: what is equal, and that hashes tell the others apart. */
class BoundValueTest {
  private static final RelaxVar X = new RelaxVar("x", Programs.VECTOR);

  private static BoundValue sum(Tensor constant) {
    return new BoundValue(Ops.add(X, new Constant(constant)), Optional.empty());
  }

  private static Tensor unread(Shape shape) {
    return Tensor.deferred(DType.FLOAT32, shape, BoundValueTest::refuse);
  }

  private static void refuse(MemorySegment memory) {
    throw new AssertionError("a large constant is read");
  }

  @Test
  void smallConstantsCountByTheirElements() {
    assertThat(sum(Tensor.scalar(2f))).isEqualTo(sum(Tensor.scalar(2f)));
    assertThat(sum(Tensor.scalar(2f))).hasSameHashCodeAs(sum(Tensor.scalar(2f)));
    assertThat(sum(Tensor.scalar(2f))).isNotEqualTo(sum(Tensor.scalar(3f)));
  }

  @Test
  void largeConstantsAreNotRead() {
    Tensor one = unread(Shape.of(1000));
    Tensor other = unread(Shape.of(1000));
    assertThat(sum(one)).isEqualTo(sum(one)).hasSameHashCodeAs(sum(one));
    assertThat(sum(one)).isNotEqualTo(sum(other));
  }

  @Test
  void hashesOfSumsWithDifferentConstantsDiffer() {
    int count = 1000;
    Set<Integer> hashes = new HashSet<>();
    for (int i = 0; i < count; i++) {
      hashes.add(sum(Tensor.scalar((float) i)).hashCode());
      hashes.add(sum(unread(Shape.of(1000))).hashCode());
    }
    // With one hash for all, the time for a model would grow with the square of its size.
    assertThat(hashes).hasSizeGreaterThan(count * 2 * 9 / 10);
  }
}
