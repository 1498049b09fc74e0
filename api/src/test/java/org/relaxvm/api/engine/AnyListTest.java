package org.relaxvm.api.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.ScalarTag;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;

class AnyListTest {
  private static Tensor tensor() {
    return Tensor.of(new float[] {1}, Shape.of(1));
  }

  @Test
  void scalarsAreTaggedInside() {
    AnyList list = AnyList.registers(4, 3);
    list.set(0, 5);
    list.set(1, true);
    list.set(2, 0.5);
    assertThat(list.refs()).containsExactly(ScalarTag.INT, ScalarTag.BOOL, ScalarTag.FLOAT, null);
    assertThat(list.bits()).startsWith(5, 1, Double.doubleToRawLongBits(0.5));
    assertThat(list).hasToString("[5, true, 0.5, null]");
    assertThat(list.get(0)).isEqualTo(5L);
    assertThat(list.take(2)).isEqualTo(0.5);
    assertThat(list.get(2)).isNull();
    assertThat(list.isWritable()).isTrue();
    assertThat(list.resultIndex()).isEqualTo(3);
  }

  @Test
  void cellsOwnWhatIsWrittenAndReleaseWhatIsOverwritten() {
    AnyList list = AnyList.registers(3, 0);
    Tensor kept = tensor();
    list.set(0, kept);
    list.setArgument(1, CallArgs.of(kept), 0);
    kept.close();
    Tensor moved = tensor();
    list.move(2, moved, 0);
    list.set(2, null);
    assertThat(moved.isLive()).isFalse();
    list.set(0, 1);
    assertThat(kept.isLive()).isTrue();
    list.clear();
    assertThat(kept.isLive()).isFalse();
  }

  @Test
  void aCellThatCannotBeRetainedIsAsBefore() {
    AnyList list = AnyList.registers(1, 0);
    list.set(0, "before");
    Tensor closed = tensor();
    closed.close();
    assertThatThrownBy(() -> list.set(0, closed)).isInstanceOf(CallException.class);
    assertThat(list.get(0)).isEqualTo("before");
  }

  @Test
  void viewsAreNotWritten() {
    AnyList view = AnyList.view(Arrays.asList("a", null, 3L));
    assertThat(view.size()).isEqualTo(3);
    assertThat(view.get(2)).isEqualTo(3L);
    assertThatThrownBy(() -> view.set(0, "b"))
        .hasMessage("constants and functions cannot be written, but cell 0 is written");
    assertThat(view.get(0)).isEqualTo("a");
  }

  @Test
  void cellsOutsideOfTheListAreRefused() {
    AnyList view = AnyList.view(List.of("a"));
    for (int index : new int[] {-1, 1}) {
      assertThatThrownBy(() -> view.get(index))
          .hasMessage("cell " + index + " of a list of 1 cells");
    }
  }
}
