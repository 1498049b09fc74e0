package org.relaxvm.interoprelay.proposal.interp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.interoprelay.proposal.RelayTestFunctions;
import org.relaxvm.interoprelay.proposal.text.RelayText;

/** The worked examples of the specification, section 8. */
class ExamplesTest {
  private static RelayInterpreter interpreter(String text) {
    return new RelayInterpreter(RelayText.parse(text), RelayTestFunctions::find);
  }

  @Test
  void aConditionChoosesABranchAndPhiJoinsTheValues() {
    RelayInterpreter interpreter =
        interpreter(
            """
            packed 0 = "add"   packed 1 = "mul"
            func @main(3) {
              0: If $0, +1, +4
              1: AllocTensor $3, 1, [4], float32
              2: InvokePacked 0, 2, 1, $1, $2, $3
              3: Goto +3
              4: AllocTensor $4, 1, [4], float32
              5: InvokePacked 1, 2, 1, $1, $2, $4
              6: Phi $5, $3, $4
              7: Ret $5
            }
            """);
    Tensor a = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(4));
    Tensor b = Tensor.of(new float[] {5, 6, 7, 8}, Shape.of(4));
    try (Value sum =
            interpreter.call("main", Tensor.of(new boolean[] {true}, Shape.scalar()), a, b);
        Value product = interpreter.call("main", Tensor.scalar(0L), a, b)) {
      assertThat(sum.asTensor().toFloatArray()).containsExactly(6, 8, 10, 12);
      assertThat(product.asTensor().toFloatArray()).containsExactly(5, 12, 21, 32);
    }
  }

  @Test
  void aLoopCountsByAPhiAtItsHeader() {
    RelayInterpreter interpreter =
        interpreter(
            """
            const 0 = tensor(int64,[],[0])
            packed 0 = "less"
            packed 1 = "plus_one"
            func @count(1) {                     ; $0 = limit (int64 scalar)
              0: LoadConst $1, 0                 ; 0
              1: Phi $2, $1, $5                  ; header
              2: AllocTensor $3, 0, [], bool
              3: InvokePacked 0, 2, 1, $2, $0, $3    ; less
              4: If $3, +1, +4
              5: AllocTensor $5, 0, [], int64
              6: InvokePacked 1, 1, 1, $2, $5        ; plus one
              7: Goto -6
              8: Ret $2
            }
            """);
    for (long limit : new long[] {0, 1, 10}) {
      try (Value count = interpreter.call("count", Tensor.scalar(limit))) {
        assertThat(count.asTensor().longAt()).isEqualTo(limit);
      }
    }
  }

  @Test
  void aFunctionCallsItselfLast() {
    RelayInterpreter interpreter =
        interpreter(
            """
            packed 0 = "is_zero"
            packed 1 = "minus_one"
            packed 2 = "add"
            func @loop(2) {  ; $0 n, $1 acc
              0: AllocTensor $2, 0, [], bool
              1: InvokePacked 0, 1, 1, $0, $2        ; is zero
              2: If $2, +1, +2
              3: Ret $1
              4: AllocTensor $3, 0, [], int64
              5: InvokePacked 1, 1, 1, $0, $3        ; n - 1
              6: AllocTensor $4, 0, [], int64
              7: InvokePacked 2, 2, 1, $1, $0, $4    ; acc + n
              8: Invoke $5, @loop, 2, $3, $4
              9: Ret $5
            }
            """);
    try (Value sum = interpreter.call("loop", Tensor.scalar(100L), Tensor.scalar(0L))) {
      assertThat(sum.asTensor().longAt()).isEqualTo(5050);
    }
  }

  @Test
  void aClosureGivesItsBoundValuesFirst() {
    RelayInterpreter interpreter =
        interpreter(
            """
            func @f(3) {
              AllocDatatype $3, 0, 3, $0, $1, $2
              Ret $3
            }
            func @main(3) {
              AllocClosure $3, @f, 2, $0, $1
              InvokeClosure $4, $3, 1, $2
              Ret $4
            }
            """);
    try (Value fields = interpreter.call("main", 1, 2, 3)) {
      assertThat(fields.asTuple().fields()).containsExactly(1L, 2L, 3L);
    }
  }

  @Test
  void theLengthOfAListIsCountedByItsTags() {
    RelayInterpreter interpreter =
        interpreter(
            """
            packed 0 = "plus_one"
            func @len(2) {            ; $0 list: Nil=tag 0, Cons(head, tail)=tag 1 ; $1 acc
              GetTag $2, $0
              IfEq $2, 0, L1, L2
            L1: Ret $1
            L2: GetField $3, $0, 1
              AllocTensor $4, 0, [], int64
              InvokePacked 0, 1, 1, $1, $4
              Invoke $5, @len, 2, $3, $4
              Ret $5
            }
            """);
    Tuple list = Tuple.of();
    for (long i = 0; i < 5; i++) {
      list = Tuple.tagged(1, i, list);
    }
    try (Value length = interpreter.call("len", list, Tensor.scalar(0L))) {
      assertThat(length.asTensor().longAt()).isEqualTo(5);
    }
  }
}
