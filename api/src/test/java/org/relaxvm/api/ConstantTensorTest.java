package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.CallException;

class ConstantTensorTest {
  @Test
  void viewsOfAConstantAreConstant() {
    Tensor tensor = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(2, 2));
    Storage tail = tensor.storage().hostTail(8);
    Tensor view = tensor.permute(1, 0);
    assertThat(view.isConstant()).isFalse();
    view.markConstant();
    assertThat(tensor.isConstant()).isTrue();
    assertThat(tail.isConstant()).isTrue();
    try (Tensor second = tensor.newHandle()) {
      assertThat(second.isConstant()).isTrue();
    }
  }

  @Test
  void aConstantIsReadOnly() {
    Tensor tensor = Tensor.of(new float[] {1, 2}, Shape.of(2));
    tensor.markConstant();
    assertThat(tensor.segment().isReadOnly()).isTrue();
    assertThat(tensor.toFloatArray()).containsExactly(1, 2);
    assertThatThrownBy(() -> tensor.fill(0))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "the elements of this tensor cannot be written: it is a constant\n"
                + "  what to do: write into a copy, such as toHost() gives");
    assertThatThrownBy(() -> Tensor.of(new float[] {1, 2}, Shape.of(2)).copyInto(tensor))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("it is a constant");
    Tensor copy = tensor.toHost();
    copy.fill(3);
    assertThat(copy.toFloatArray()).containsExactly(3, 3);
  }

  @Test
  void whatIsMadeOfAConstantIsMadeOnce() {
    Tensor tensor = Tensor.of(new float[] {1, 2}, Shape.of(2));
    assertThatThrownBy(() -> tensor.storage().derive("key", key -> key))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("is not constant");
    tensor.markConstant();
    Object made = tensor.storage().derive("key", key -> new Object());
    Object again = tensor.storage().derive("key", key -> new Object());
    assertThat(again).isSameAs(made);
    Object none = tensor.storage().derive("other", key -> null);
    assertThat(none).isNull();
  }
}
