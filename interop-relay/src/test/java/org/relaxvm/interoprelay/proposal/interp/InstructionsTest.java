package org.relaxvm.interoprelay.proposal.interp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;

/** Each of the thirteen instructions, and what each refuses. */
class InstructionsTest {
  @Test
  void allocTensorMakesATensorOfItsShapeAndType() {
    try (Value value =
            Interpreted.main("func @main(0) { AllocTensor $0, 2, [2, 3], int64 Ret $0 }");
        Value scalar = Interpreted.main("func @main(0) { AllocTensor $0, 0, [], bool Ret $0 }")) {
      assertThat(value.asTensor().shape()).isEqualTo(Shape.of(2, 3));
      assertThat(value.asTensor().dtype()).isEqualTo(DType.INT64);
      assertThat(scalar.asTensor().elementCount()).isEqualTo(1);
    }
  }

  @Test
  void allocTensorGivesEachExecutionATensorOfItsOwn() {
    String text =
        """
        func @new(0) { AllocTensor $0, 0, [], int64 Ret $0 }
        func @main(0) { Invoke $0, @new, 0 Invoke $1, @new, 0 AllocDatatype $2, 0, 2, $0, $1 Ret $2 }
        """;
    try (Value pair = Interpreted.main(text)) {
      Tensor first = pair.asTuple().at(0).asTensor();
      Tensor second = pair.asTuple().at(1).asTensor();
      assertThat(first.storage()).isNotSameAs(second.storage());
    }
  }

  @Test
  void allocDatatypeKeepsItsTagAndFields() {
    try (Value value =
        Interpreted.main("func @main(2) { AllocDatatype $2, 7, 2, $1, $0 Ret $2 }", 1, 2)) {
      assertThat(value.asTuple().tag()).isEqualTo(7);
      assertThat(value.asTuple().fields()).containsExactly(2L, 1L);
    }
  }

  @Test
  void loadConstAndMovDoNotCopyData() {
    String text =
        """
        const 0 = tensor(int64,[2],[1, 2])
        func @main(0) {
          LoadConst $0, 0
          Mov $1, $0
          LoadConst $2, 0
          AllocDatatype $3, 0, 3, $0, $1, $2
          Ret $3
        }
        """;
    try (Value value = Interpreted.main(text)) {
      Tuple fields = value.asTuple();
      Tensor first = fields.at(0).asTensor();
      assertThat(fields.at(1).asTensor().storage()).isSameAs(first.storage());
      assertThat(fields.at(2).asTensor().storage()).isSameAs(first.storage());
    }
  }

  @Test
  void aWriteIsSeenThroughEveryRegisterThatRefersToTheTensor() {
    String text =
        """
        packed 0 = "plus_one"
        func @main(1) {
          AllocTensor $1, 0, [], int64
          InvokePacked 0, 1, 1, $0, $1
          Mov $2, $1
          InvokePacked 0, 1, 1, $2, $2
          Ret $1
        }
        """;
    assertThat(Interpreted.number(text, Tensor.scalar(5L))).isEqualTo(7);
  }

  @Test
  void loadConstGivesNumbersAndStrings() {
    try (Value text =
            Interpreted.main("const 0 = \"a\\nb\" func @main(0) { LoadConst $0, 0 Ret $0 }");
        Value real = Interpreted.main("const 0 = 2.5 func @main(0) { LoadConst $0, 0 Ret $0 }")) {
      assertThat(text.asString()).isEqualTo("a\nb");
      assertThat(real.asDouble()).isEqualTo(2.5);
    }
  }

  @Test
  void getFieldGivesAFieldOfADatatypeAndOfAPlainTuple() {
    String text = "func @main(1) { GetField $1, $0, 1 Ret $1 }";
    assertThat(Interpreted.number(text, Tuple.tagged(3, 10L, 11L))).isEqualTo(11);
    assertThat(Interpreted.number(text, Tuple.of(10L, 12L))).isEqualTo(12);
  }

  @Test
  void getFieldRefusesAnIndexPastTheFields() {
    Interpreted.assertFails(
        """
        there is no field 1 in a tuple of 1 field
          at function main, instruction 0: GetField $1, $0, 1
        """,
        "func @main(1) { GetField $1, $0, 1 Ret $1 }",
        Tuple.of(1L));
  }

  @Test
  void getFieldAndGetTagRefuseWhatIsNoDatatype() {
    Interpreted.assertFails(
        """
        $0 is of the wrong kind
          expected: a datatype
          got: an integer
          at function main, instruction 0: GetField $1, $0, 0
        """,
        "func @main(1) { GetField $1, $0, 0 Ret $1 }",
        1);
    Interpreted.assertFails(
        """
        $0 is of the wrong kind
          expected: a datatype
          got: a tensor, int64[] on cpu:0
          at function main, instruction 0: GetTag $1, $0
        """,
        "func @main(1) { GetTag $1, $0 Ret $1 }",
        Tensor.scalar(1L));
  }

  @Test
  void ifTakesWhateverIsNotZeroAsTrue() {
    String text = "func @main(3) { If $0, +1, +2 Ret $1 Ret $2 }";
    Object[] truths = {
      true,
      5,
      -1L,
      Tensor.of(new boolean[] {true}, Shape.of(1)),
      Tensor.scalar(3L),
      Tensor.of(new byte[] {-1}, Shape.of(1, 1))
    };
    for (Object truth : truths) {
      assertThat(Interpreted.number(text, truth, 1, 2)).as("%s", truth).isEqualTo(1);
    }
    assertThat(Interpreted.number(text, false, 1, 2)).isEqualTo(2);
    assertThat(Interpreted.number(text, Tensor.scalar(0L), 1, 2)).isEqualTo(2);
  }

  @Test
  void ifRefusesFloatsAndTensorsOfMoreElements() {
    String text = "func @main(1) { If $0, +1, +2 Ret $0 Ret $0 }";
    Interpreted.assertFails(
        """
        the condition $0 is of the wrong kind
          expected: an integer, a boolean, or a tensor with one such element
          got: a tensor, float32[] on cpu:0
          at function main, instruction 0: If $0, +1, +2
        """,
        text,
        Tensor.scalar(1f));
    Interpreted.assertFails(
        """
        the condition $0 is of the wrong kind
          expected: an integer, a boolean, or a tensor with one such element
          got: a tensor, int64[2] on cpu:0
          at function main, instruction 0: If $0, +1, +2
        """,
        text,
        Tensor.of(new long[] {1, 1}, Shape.of(2)));
  }

  @Test
  void jumpsGoBothWays() {
    String text =
        """
        func @main(1) {
          Goto second
        first: Ret $0
        second: If $0, first, third
        third: Fatal
        }
        """;
    assertThat(Interpreted.number(text, 4)).isEqualTo(4);
  }

  @Test
  void invokePackedFillsTwoOutputs() {
    String text =
        """
        packed 0 = "sum_and_difference"
        func @main(2) {
          AllocTensor $2, 0, [], int64
          AllocTensor $3, 0, [], int64
          InvokePacked 0, 2, 2, $0, $1, $2, $3
          AllocDatatype $4, 0, 2, $2, $3
          Ret $4
        }
        """;
    try (Value value = Interpreted.main(text, Tensor.scalar(7L), Tensor.scalar(2L))) {
      assertThat(value.asTuple().at(0).asTensor().longAt()).isEqualTo(9);
      assertThat(value.asTuple().at(1).asTensor().longAt()).isEqualTo(5);
    }
  }

  @Test
  void invokePackedGetsFieldsOfDatatypesWhereThatIsChosen() {
    String text =
        """
        packed 0 = "add"
        func @main(1) {
          AllocTensor $1, 0, [], int64
          InvokePacked 0, 1, 1, $0, $1
          Ret $1
        }
        """;
    Tuple pair = Tuple.of(Tensor.scalar(3L), Tensor.scalar(4L));
    InterpreterOptions flat = InterpreterOptions.DEFAULT.withFlattenDatatypes(true);
    try (Value sum = Interpreted.of(text, flat).call("main", pair)) {
      assertThat(sum.asTensor().longAt()).isEqualTo(7);
    }
    Interpreted.assertFails(
        """
        a binary test function(a, b, out) takes 3 arguments, but got 2
          at function main, instruction 1: InvokePacked 0, 1, 1, $0, $1
        """,
        text,
        pair);
  }

  @Test
  void aFailureTellsTheInstructionsOfAllFrames() {
    Interpreted.assertFails(
        """
        the program reached a Fatal instruction
          at function inner, instruction 0: Fatal
          at function main, instruction 0: Invoke $1, @inner, 1, $0
        """,
        """
        func @inner(1) { Fatal }
        func @main(1) { Invoke $1, @inner, 1, $0 Ret $1 }
        """,
        1);
  }

  @Test
  void invokeClosureRefusesWhatIsNoClosureAndAnotherNumberOfArguments() {
    Interpreted.assertFails(
        """
        $0 is of the wrong kind
          expected: a closure of this program
          got: an integer
          at function main, instruction 0: InvokeClosure $1, $0, 0
        """,
        "func @main(1) { InvokeClosure $1, $0, 0 Ret $1 }",
        1);
    Interpreted.assertFails(
        """
        the closure of function f takes 1 argument, but got 2
          at function apply, instruction 0: InvokeClosure $1, $0, 2, $0, $0
          at function main, instruction 1: Invoke $2, @apply, 1, $1
        """,
        """
        func @f(2) { Ret $0 }
        func @apply(1) { InvokeClosure $1, $0, 2, $0, $0 Ret $1 }
        func @main(1) { AllocClosure $1, @f, 1, $0 Invoke $2, @apply, 1, $1 Ret $2 }
        """,
        1);
  }
}
