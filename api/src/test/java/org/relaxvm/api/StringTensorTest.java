package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.CallException;

class StringTensorTest {
  @Test
  void aTupleOfAShapeAndStringsIsThem() {
    StringTensor words = new StringTensor(Shape.of(2, 1), List.of("a", ""));
    Tuple tuple = words.toTuple();
    assertThat(tuple).hasToString("[[2, 1], a, ]");
    assertThat(StringTensor.of(tuple)).isEqualTo(words);
    assertThat(StringTensor.of("a", "b").shape()).isEqualTo(Shape.of(2));
    assertThat(StringTensor.of().elements()).isEmpty();
  }

  @Test
  void thereAreAsManyStringsAsTheShapeSays() {
    assertThatThrownBy(() -> new StringTensor(Shape.of(2), List.of("a")))
        .isInstanceOf(CallException.class)
        .hasMessage("the shape [2] has 2 elements, but got 1 strings");
  }

  @Test
  void otherValuesAreRefused() {
    for (Object value : new Object[] {Tuple.of(), Tuple.of("a"), Tuple.of(Shape.of(1), 1L)}) {
      assertThatThrownBy(() -> StringTensor.of(value))
          .isInstanceOf(CallException.class)
          .hasMessage(
              "expected strings, a tuple of a shape and of as many strings, but got "
                  + value
                  + "\n  what to do: make the value with StringTensor.toTuple()");
    }
    assertThatThrownBy(() -> StringTensor.of((Object) null))
        .hasMessageStartingWith(
            "expected strings, a tuple of a shape and of as many strings, but got null");
  }
}
