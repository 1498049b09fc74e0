package org.relaxvm.compiler.pass.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Where tensors lie in one memory. */
class OffsetsTest {
  private static Offsets.Tensor tensor(long byteSize, int begin, int end) {
    Offsets.Tensor tensor = new Offsets.Tensor(byteSize, begin);
    tensor.end = end;
    return tensor;
  }

  @Test
  void nothingNeedsNoMemory() {
    assertThat(Offsets.assign(List.of())).isZero();
  }

  @Test
  void smallTensorsLieSideBySideWhereALargeOneWas() {
    Offsets.Tensor large = tensor(1024, 0, 3);
    List<Offsets.Tensor> small =
        IntStream.range(0, 4).mapToObj(i -> tensor(256, 4 + i, 9)).toList();
    List<Offsets.Tensor> all = new ArrayList<>(small);
    all.add(large);

    assertThat(Offsets.assign(all)).isEqualTo(1024);
    assertThat(large.offset).isZero();
    assertThat(small.stream().map(tensor -> tensor.offset)).containsExactly(0L, 256L, 512L, 768L);
  }

  @Test
  void theSmallestGapThatIsLargeEnoughIsTaken() {
    Offsets.Tensor first = tensor(2048, 0, 1);
    Offsets.Tensor second = tensor(1800, 0, 9);
    Offsets.Tensor third = tensor(1024, 0, 1);
    Offsets.Tensor fourth = tensor(800, 0, 9);
    Offsets.Tensor later = tensor(700, 2, 9);

    assertThat(Offsets.assign(List.of(first, second, third, fourth, later))).isEqualTo(5920);
    assertThat(List.of(first.offset, second.offset, third.offset, fourth.offset))
        .containsExactly(0L, 2048L, 4096L, 5120L);
    assertThat(later.offset).as("between the second and the fourth").isEqualTo(4096);
  }

  @Test
  void aTensorMayNotBeginWhereOneIsReadForTheLastTime() {
    Offsets.Tensor read = tensor(64, 0, 4);
    Offsets.Tensor written = tensor(64, 4, 6);

    assertThat(Offsets.assign(List.of(read, written))).isEqualTo(256 + 64);
  }

  @Test
  void tensorsNeededTogetherNeverOverlapAndLittleIsLost() {
    Random random = new Random(20261122);
    double most = 0;
    double sum = 0;
    for (int round = 0; round < 500; round++) {
      List<Offsets.Tensor> tensors = new ArrayList<>();
      int bindings = 1 + random.nextInt(60);
      for (int i = 0; i < bindings; i++) {
        long byteSize = 256L * random.nextInt(1 << random.nextInt(12));
        tensors.add(tensor(byteSize, i, i + random.nextInt(6)));
      }
      long quadratic = Offsets.assign(tensors, (one, other) -> false);
      List<Long> offsets = tensors.stream().map(tensor -> tensor.offset).toList();
      long byteSize = Offsets.assign(tensors);
      assertThat(tensors.stream().map(tensor -> tensor.offset).toList()).isEqualTo(offsets);
      assertThat(byteSize).isEqualTo(quadratic);
      long live = 0;
      for (Offsets.Tensor a : tensors) {
        long atBegin = 0;
        assertThat(a.offset % Offsets.ALIGNMENT).isZero();
        assertThat(a.offset + a.byteSize).isLessThanOrEqualTo(byteSize);
        for (Offsets.Tensor b : tensors) {
          boolean together = a.begin <= b.end && b.begin <= a.end;
          if (a != b && together) {
            boolean apart = a.offset + a.byteSize <= b.offset || b.offset + b.byteSize <= a.offset;
            assertThat(apart).as("round " + round).isTrue();
          }
          atBegin += b.begin <= a.begin && a.begin <= b.end ? b.byteSize : 0;
        }
        live = Math.max(live, atBegin);
      }
      assertThat(byteSize).isGreaterThanOrEqualTo(live);
      double ratio = live == 0 ? 1 : byteSize / (double) live;
      most = Math.max(most, ratio);
      sum += ratio;
    }
    System.out.printf(
        "memory over the largest live set: %.3f on average, %.3f at most%n", sum / 500, most);
    assertThat(sum / 500).isLessThan(1.05);
  }
}
