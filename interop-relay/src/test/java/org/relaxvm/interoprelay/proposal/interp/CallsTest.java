package org.relaxvm.interoprelay.proposal.interp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Closure;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.interoprelay.proposal.text.RelayText;

/** Calls of functions and closures: depth, order of arguments, what is missing. */
class CallsTest {
  private static final String EVEN_ODD =
      """
      packed 0 = "number_minus_one"
      func @even(1) {
        If $0, more, zero
      zero: LoadConsti $1, 1
        Ret $1
      more: CallPacked $2, 0, 1, $0
        Invoke $3, @odd, 1, $2
        Ret $3
      }
      func @odd(1) {
        If $0, more, zero
      zero: LoadConsti $1, 0
        Ret $1
      more: CallPacked $2, 0, 1, $0
        Invoke $3, @even, 1, $2
        Ret $3
      }
      """;

  @Test
  void functionsCallEachOtherAHundredThousandTimes() {
    InterpreterOptions deep = InterpreterOptions.DEFAULT.withMaxFrames(100_001);
    try (Value even = Interpreted.of(EVEN_ODD, deep).call("even", 100_000);
        Value odd = Interpreted.of(EVEN_ODD).call("even", 99_999)) {
      assertThat(even.asLong()).isEqualTo(1);
      assertThat(odd.asLong()).isZero();
    }
  }

  @Test
  void deeperCallsThanTheLimitAreRefused() {
    RelayInterpreter interpreter =
        Interpreted.of(EVEN_ODD, InterpreterOptions.DEFAULT.withMaxFrames(3));
    assertThatThrownBy(() -> interpreter.call("even", 3))
        .isInstanceOf(CallException.class)
        .hasMessage(
            """
            the call of function odd would be frame 4, but the limit is 3 frames
              what to do: if the recursion is meant to be this deep, raise the limit with \
            InterpreterOptions.withMaxFrames
              at function even, instruction 4: Invoke $3, @odd, 1, $2
              at function odd, instruction 4: Invoke $3, @even, 1, $2
              at function even, instruction 4: Invoke $3, @odd, 1, $2\
            """);
  }

  @Test
  void aCallThroughABlockOfPhiAndRetGivesItsResult() {
    String text =
        """
        packed 0 = "is_zero" packed 1 = "minus_one"
        func @main(2) {
          AllocTensor $2, 0, [], bool
          InvokePacked 0, 1, 1, $0, $2
          If $2, zero, more
        zero: Mov $3, $1
          Goto join
        more: AllocTensor $4, 0, [], int64
          InvokePacked 1, 1, 1, $0, $4
          Invoke $5, @main, 2, $4, $1
          Goto join
        join: Phi $6, $3, $5
          Ret $6
        }
        """;
    assertThat(Interpreted.number(text, Tensor.scalar(1000L), 42)).isEqualTo(42);
  }

  @Test
  void closuresBindInOrderAreCalledTwiceAndNest() {
    String text =
        """
        func @triple(3) { AllocDatatype $3, 0, 3, $0, $1, $2 Ret $3 }
        func @none(0) { LoadConsti $0, 9 Ret $0 }
        func @apply(2) { InvokeClosure $2, $0, 1, $1 Ret $2 }
        func @nested(2) { InvokeClosure $2, $0, 1, $1 Ret $2 }
        func @main(3) {
          AllocClosure $3, @triple, 2, $0, $1
          Invoke $4, @apply, 2, $3, $2            ; passed to another function
          InvokeClosure $5, $3, 1, $0             ; invoked again
          AllocClosure $6, @none, 0               ; nothing bound
          InvokeClosure $7, $6, 0
          AllocClosure $8, @nested, 1, $3         ; a closure in a closure
          InvokeClosure $9, $8, 1, $1
          AllocDatatype $10, 0, 4, $4, $5, $7, $9
          Ret $10
        }
        """;
    try (Value value = Interpreted.main(text, 1, 2, 3)) {
      assertThat(value.toString()).isEqualTo("[[1, 2, 3], [1, 2, 1], 9, [1, 2, 2]]");
    }
  }

  @Test
  void aListIsMappedByAHigherOrderFunction() {
    String text =
        """
        packed 0 = "mul"
        func @times(2) { AllocTensor $2, 0, [], int64 InvokePacked 0, 2, 1, $0, $1, $2 Ret $2 }
        func @map(2) {                 ; function, list
          GetTag $2, $1
          IfEq $2, 0, nil, cons
        nil: Ret $1
        cons: GetField $3, $1, 0
          GetField $4, $1, 1
          InvokeClosure $5, $0, 1, $3
          Invoke $6, @map, 2, $0, $4
          AllocDatatype $7, 1, 2, $5, $6
          Ret $7
        }
        func @main(2) {
          AllocClosure $2, @times, 1, $0
          Invoke $3, @map, 2, $2, $1
          Ret $3
        }
        """;
    Tuple list = Tuple.tagged(1, Tensor.scalar(5L), Tuple.tagged(1, Tensor.scalar(6L), Tuple.of()));
    try (Value mapped = Interpreted.main(text, Tensor.scalar(10L), list)) {
      Tuple first = mapped.asTuple();
      Tuple second = first.at(1).asTuple();
      assertThat(first.tag()).isEqualTo(1);
      assertThat(first.at(0).asTensor().longAt()).isEqualTo(50);
      assertThat(second.at(0).asTensor().longAt()).isEqualTo(60);
      assertThat(second.at(1).asTuple().tag()).isZero();
    }
  }

  @Test
  void aPackedFunctionCanCallAClosureOfTheProgram() {
    PackedFunc twice =
        (args, result) -> {
          Closure closure = (Closure) Objects.requireNonNull(args.at(0));
          CallResult inner = new CallResult();
          closure.target().call(CallArgs.of(args.at(1), closure.boundAt(0)), inner);
          result.set(inner.takeRef());
        };
    RelayInterpreter interpreter =
        new RelayInterpreter(
            RelayText.parse(
                """
                packed 0 = "call"
                func @pair(2) { AllocDatatype $2, 0, 2, $0, $1 Ret $2 }
                func @main(2) { AllocClosure $2, @pair, 1, $0 CallPacked $3, 0, 2, $2, $1 Ret $3 }
                """),
            _ -> Optional.of(twice));
    try (Value value = interpreter.call("main", 1, 2)) {
      assertThat(value.asTuple().fields()).containsExactly(1L, 2L);
    }
  }

  @Test
  void allMissingPackedFunctionsAreNamedAtOnce() {
    assertThatThrownBy(() -> Interpreted.of("packed 0 = \"x\" packed 1 = \"add\" packed 2 = \"y\""))
        .isInstanceOf(LinkException.class)
        .hasMessage(
            """
            the program needs 2 packed functions that nothing provides:
                x
                y
              what to do: give the interpreter a lookup that finds them\
            """);
  }

  @Test
  void aCallFromOutsideNamesAFunctionAndGivesItsArguments() {
    RelayInterpreter interpreter = Interpreted.of("func @f(1) { Ret $0 } func @g(0) { Fatal }");
    assertThatThrownBy(() -> interpreter.call("h"))
        .isInstanceOf(CallException.class)
        .hasMessage("there is no function 'h'\n  functions: f, g");
    assertThatThrownBy(() -> interpreter.call("f"))
        .isInstanceOf(CallException.class)
        .hasMessage("function f takes 1 argument, but got 0");
  }

  @Test
  void whatAPackedFunctionThrowsIsReportedWithItsName() {
    RelayInterpreter interpreter =
        new RelayInterpreter(
            RelayText.parse("packed 0 = \"p\" func @main(0) { InvokePacked 0, 0, 0 Fatal }"),
            _ ->
                Optional.of(
                    (_, _) -> {
                      throw new IllegalStateException("no");
                    }));
    assertThatThrownBy(() -> interpreter.call("main"))
        .isInstanceOf(CallException.class)
        .hasMessage(
            """
            p failed: java.lang.IllegalStateException: no
              at function main, instruction 0: InvokePacked 0, 0, 0\
            """);
  }
}
