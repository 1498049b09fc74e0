package org.relaxvm.interoprelay.proposal.interp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;

/** The instructions that the proposal lacks. */
class ExtensionsTest {
  @Test
  void getTagGivesTheTagAsAnInteger() {
    String text = "func @main(1) { GetTag $1, $0 Ret $1 }";
    assertThat(Interpreted.number(text, Tuple.tagged(4))).isEqualTo(4);
    assertThat(Interpreted.number(text, Tuple.of(1L))).isZero();
  }

  @Test
  void ifEqComparesAnIntegerOrATensorWithOneElement() {
    String text = "func @main(1) { IfEq $0, 3, yes, no yes: LoadConsti $1, 1 Ret $1 no: Ret $0 }";
    assertThat(Interpreted.number(text, 3)).isEqualTo(1);
    assertThat(Interpreted.number(text, 2)).isEqualTo(2);
    assertThat(Interpreted.number(text, Tensor.scalar(3L))).isEqualTo(1);
  }

  @Test
  void loadConstiGivesAnInteger() {
    assertThat(Interpreted.number("func @main(0) { LoadConsti $0, -9223372036854775808 Ret $0 }"))
        .isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void allocTensorRegTakesAShapeOrATensorOfIntegers() {
    String text = "func @main(1) { AllocTensorReg $1, $0, float32 Ret $1 }";
    try (Value byShape = Interpreted.main(text, Shape.of(2, 3));
        Value byTensor = Interpreted.main(text, Tensor.of(new int[] {4, 5}, Shape.of(2)))) {
      assertThat(byShape.asTensor().shape()).isEqualTo(Shape.of(2, 3));
      assertThat(byTensor.asTensor().shape()).isEqualTo(Shape.of(4, 5));
    }
    Interpreted.assertFails(
        """
        $0 is of the wrong kind
          expected: a shape, or a tensor of integers of rank 1
          got: a tensor, float32[] on cpu:0
          at function main, instruction 0: AllocTensorReg $1, $0, float32
        """,
        text,
        Tensor.scalar(1f));
  }

  @Test
  void shapeOfAndReshapeTensorShareTheElements() {
    String text =
        """
        func @main(2) {
          ShapeOf $2, $1
          ReshapeTensor $3, $0, $2
          Ret $3
        }
        """;
    Tensor tensor = Tensor.of(new long[] {1, 2, 3, 4}, Shape.of(4));
    try (Value view = Interpreted.main(text, tensor, Tensor.of(new long[4], Shape.of(2, 2)))) {
      assertThat(view.asTensor().shape()).isEqualTo(Shape.of(2, 2));
      assertThat(view.asTensor().storage()).isSameAs(tensor.storage());
    }
  }

  @Test
  void deviceCopyCopiesWithinTheHostAndKnowsNoOtherDevice() {
    Tensor tensor = Tensor.scalar(5L);
    try (Value copy =
        Interpreted.main("func @main(1) { DeviceCopy $1, $0, 1, 0 Ret $1 }", tensor)) {
      assertThat(copy.asTensor().longAt()).isEqualTo(5);
      assertThat(copy.asTensor().storage()).isNotSameAs(tensor.storage());
    }
    Interpreted.assertFails(
        """
        the interpreter has host memory only, and no device of type 2
          what to do: translate the program and run it on a virtual machine
          at function main, instruction 0: DeviceCopy $1, $0, 2, 0
        """,
        "func @main(1) { DeviceCopy $1, $0, 2, 0 Ret $1 }",
        tensor);
  }

  @Test
  void callPackedGivesTheReturnedValue() {
    String text = "packed 0 = \"first_element\" func @main(1) { CallPacked $1, 0, 1, $0 Ret $1 }";
    assertThat(Interpreted.number(text, Tensor.scalar(8L))).isEqualTo(8);
    try (Value real = Interpreted.main(text, Tensor.scalar(1.5f))) {
      assertThat(real.asDouble()).isEqualTo(1.5);
    }
  }

  @Test
  void killEmptiesARegisterOfWhateverKind() {
    assertThat(
            Interpreted.number("func @main(2) { LoadConsti $2, 3 Kill $0 Kill $2 Ret $1 }", 1, 2))
        .isEqualTo(2);
  }

  @Test
  void aMillionTailInvokesTakeOneFrame() {
    String text =
        """
        packed 0 = "number_minus_one"
        func @main(3) {                 ; n, a, b: swaps a and b n times
          If $0, more, done
        done: Ret $1
        more: CallPacked $3, 0, 1, $0
          TailInvoke @main, 3, $3, $2, $1
        }
        """;
    InterpreterOptions one = InterpreterOptions.DEFAULT.withMaxFrames(1);
    try (Value even = Interpreted.of(text, one).call("main", 1_000_000, 1, 2);
        Value odd = Interpreted.of(text, one).call("main", 99_999, 1, 2)) {
      assertThat(even.asLong()).isEqualTo(1);
      assertThat(odd.asLong()).isEqualTo(2);
    }
  }
}
