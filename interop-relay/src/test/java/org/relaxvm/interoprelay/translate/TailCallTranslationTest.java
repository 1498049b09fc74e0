package org.relaxvm.interoprelay.translate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.interoprelay.proposal.text.RelayText;

class TailCallTranslationTest {
  private static final TranslationOptions TRAMPOLINE =
      TranslationOptions.DEFAULT.withTrampoline(true);

  private static final String SUM =
      """
      packed 0 = "is_zero"
      packed 1 = "minus_one"
      packed 2 = "add"
      func @main(2) {
        0: AllocTensor $2, 0, [], bool
        1: InvokePacked 0, 1, 1, $0, $2
        2: If $2, +1, +2
        3: Ret $1
        4: AllocTensor $3, 0, [], int64
        5: InvokePacked 1, 1, 1, $0, $3
        6: AllocTensor $4, 0, [], int64
        7: InvokePacked 2, 2, 1, $1, $0, $4
        8: Invoke $5, @main, 2, $3, $4
        9: Ret $5
      }
      """;

  private static final String PARITY =
      """
      packed 0 = "is_zero"
      packed 1 = "minus_one"
      func @even(1) {
        AllocTensor $1, 0, [], bool
        InvokePacked 0, 1, 1, $0, $1
        If $1, L1, L2
      L1: LoadConsti $2, 1
        Goto L3
      L2: AllocTensor $3, 0, [], int64
        InvokePacked 1, 1, 1, $0, $3
        Invoke $4, @odd, 1, $3
      L3: Phi $5, $2, $4
        Ret $5
      }
      func @odd(1) {
        AllocTensor $1, 0, [], bool
        InvokePacked 0, 1, 1, $0, $1
        If $1, L1, L2
      L1: LoadConsti $2, 0
        Ret $2
      L2: AllocTensor $3, 0, [], int64
        InvokePacked 1, 1, 1, $0, $3
        Invoke $4, @even, 1, $3
        Ret $4
      }
      func @main(1) {
        Invoke $1, @even, 1, $0
        AllocDatatype $2, 0, 1, $1
        Ret $2
      }
      """;

  @Test
  void aMillionTailCallsOfTheFunctionItselfUseOneFrame() {
    try (Translated program = Translated.of(SUM);
        Value sum = program.call("main", Tensor.scalar(1_000_000L), Tensor.scalar(0L))) {
      assertThat(sum.asTensor().longAt()).isEqualTo(500_000_500_000L);
      assertThat(program.listing())
          .endsWith(
              """
                call  vm.builtin.copy  in: %6           dst: %0
                call  vm.builtin.copy  in: %8           dst: %1
                goto  -17
              """);
    }
  }

  @Test
  void argumentsMayBePermuted() {
    String text =
        """
        packed 0 = "is_zero"
        packed 1 = "minus_one"
        func @main(4) {
          AllocTensor $4, 0, [], bool
          InvokePacked 0, 1, 1, $0, $4
          If $4, L1, L2
        L1: AllocDatatype $5, 0, 3, $1, $2, $3
          Ret $5
        L2: AllocTensor $6, 0, [], int64
          InvokePacked 1, 1, 1, $0, $6
          Invoke $7, @main, 4, $6, $2, $3, $1
          Kill $6
          Ret $7
        }
        """;
    try (Translated program = Translated.of(text);
        Value fields = program.call("main", Tensor.scalar(4L), 1, 2, 3)) {
      assertThat(fields).hasToString("[2, 3, 1]");
    }
  }

  @Test
  void aResultMayGoThroughPhisOnItsWayOut() {
    String text =
        SUM.replace("3: Ret $1", "3: Goto +7")
            .replace("9: Ret $5", "9: Goto +1\n 10: Phi $6, $1, $5\n 11: Mov $7, $6\n 12: Ret $7");
    try (Translated program = Translated.of(text);
        Value sum = program.call("main", Tensor.scalar(200_000L), Tensor.scalar(0L))) {
      assertThat(sum.asTensor().longAt()).isEqualTo(20_000_100_000L);
    }
  }

  @Test
  void functionsThatCallEachOtherUseNoStackWithTheTrampoline() {
    try (Translated program = Translated.of(PARITY, TRAMPOLINE)) {
      for (String function : new String[] {"main", "even", "odd"}) {
        for (long n : new long[] {0, 1, function.equals("even") ? 100_000 : 101}) {
          try (Value value = program.call(function, Tensor.scalar(n))) {
            long even = function.equals("odd") ? n % 2 : 1 - n % 2;
            assertThat(value).hasToString(function.equals("main") ? "[" + even + "]" : "" + even);
          }
        }
      }
    }
  }

  @Test
  void functionsThatCallEachOtherUseFramesWithoutIt() {
    try (Translated program = Translated.of(PARITY)) {
      try (Value value = program.call("even", Tensor.scalar(1_000L))) {
        assertThat(value.asLong()).isEqualTo(1);
      }
      assertThat(program.listing()).doesNotContain("tail_request");
    }
  }

  @Test
  void aTailInvokeUsesNoStackWhateverTheOptions() {
    String text =
        PARITY
            .replace("Invoke $4, @odd, 1, $3", "TailInvoke @odd, 1, $3")
            .replace("L3: Phi $5, $2, $4\n  Ret $5", "L3: Ret $2")
            .replace("Invoke $4, @even, 1, $3\n  Ret $4", "TailInvoke @even, 1, $3");
    try (Translated program = Translated.of(text);
        Value value = program.call("main", Tensor.scalar(100_001L))) {
      assertThat(value).hasToString("[0]");
    }
  }

  @Test
  void aTailCallOfAFunctionThatDoesNotComeBackIsACall() {
    String text =
        """
        func @main(1) {
          TailInvoke @id, 1, $0
        }
        func @id(1) {
          Ret $0
        }
        """;
    try (Translated program = Translated.of(text, TRAMPOLINE)) {
      assertThat(program.listing())
          .isEqualTo(
              """
              @main:
                call  id               in: %0           dst: %1
                ret   %1

              @id:
                ret   %0
              """);
    }
  }

  @Test
  void aCallOfABuiltinByTheProgramIsNoMove() {
    String noArguments =
        """
        packed 0 = "vm.builtin.copy"
        func @f(1) { Ret $0 }
        func @main(1) {
          Invoke $1, @f, 1, $0
          CallPacked $2, 0, 0
          Ret $1
        }
        """;
    assertThat(Translated.listing(ProposalTranslator.translate(RelayText.parse(noArguments))))
        .contains("call  vm.builtin.copy  in:              dst: %2");
    String noResult =
        """
        packed 0 = "vm.builtin.null_value"
        func @f(1) { Ret $0 }
        func @main(1) {
          Invoke $1, @f, 1, $0
          InvokePacked 0, 0, 0
          Ret $1
        }
        """;
    assertThat(Translated.listing(ProposalTranslator.translate(RelayText.parse(noResult))))
        .contains("call  vm.builtin.null_value in:              dst: %void");
  }

  @Test
  void namesOfBodiesDifferFromPackedFunctions() {
    String ordered = PARITY.replace("\"minus_one\"", "\"minus_one\"   packed 2 = \"even$tail\"");
    assertThat(
            Translated.listing(ProposalTranslator.translate(RelayText.parse(ordered), TRAMPOLINE)))
        .contains("@even$tail$:");
  }
}
