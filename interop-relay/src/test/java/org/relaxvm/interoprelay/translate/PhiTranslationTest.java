package org.relaxvm.interoprelay.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;

/** Branches, joins and loops. */
class PhiTranslationTest {
  private static final String BRANCHES =
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
      """;

  @Test
  void theExampleOfTheSpecificationHasItsListing() {
    try (Translated program = Translated.of(BRANCHES)) {
      assertThat(program.listing())
          .isEqualTo(
              """
              @main:
                call  vm.builtin.read_if_cond in: %0           dst: %3
                If    %3, 7
                call  vm.builtin.alloc_storage in: %vm, c[0], i0, c[1], c[2] dst: %4
                call  vm.builtin.alloc_tensor in: %4, i0, c[3], c[4] dst: %5
                call  vm.builtin.null_value in:              dst: %4
                call  add              in: %1, %2, %5   dst: %void
                call  vm.builtin.copy  in: %5           dst: %6
                goto  6
                call  vm.builtin.alloc_storage in: %vm, c[0], i0, c[1], c[2] dst: %7
                call  vm.builtin.alloc_tensor in: %7, i0, c[3], c[4] dst: %8
                call  vm.builtin.null_value in:              dst: %7
                call  mul              in: %1, %2, %8   dst: %void
                call  vm.builtin.copy  in: %8           dst: %6
                ret   %6
              """);
      assertThat(program.executable().constants())
          .map(Object::toString)
          .containsExactly("[16]", "uint8", "global", "[4]", "float32");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aBranchChoosesOneOfTwoValues(PhiStrategy phis) {
    assertThat(branches(BRANCHES, phis, true)).containsExactly(6, 8, 10, 12);
    assertThat(branches(BRANCHES, phis, false)).containsExactly(5, 12, 21, 32);
    String swapped = BRANCHES.replace("$3, $4\n  7", "$4, $3\n  7");
    assertThat(swapped).isNotEqualTo(BRANCHES);
    assertThat(branches(swapped, phis, true)).containsExactly(6, 8, 10, 12);
    assertThat(branches(swapped, phis, false)).containsExactly(5, 12, 21, 32);
  }

  private static float[] branches(String text, PhiStrategy phis, boolean condition) {
    Tensor a = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(4));
    Tensor b = Tensor.of(new float[] {5, 6, 7, 8}, Shape.of(4));
    try (Translated program = Translated.of(text, TranslationOptions.DEFAULT.withPhis(phis));
        Value value = program.call("main", condition, a, b)) {
      return value.asTensor().toFloatArray();
    }
  }

  @ParameterizedTest
  @EnumSource
  void anIfWithoutElseSplitsTheEdgeToItsJoin(PhiStrategy phis) {
    String text =
        """
        func @main(2) {
          LoadConsti $2, 7
          If $0, L1, L2
        L1: LoadConsti $3, 8
        L2: Phi $4, $2, $3
          AllocDatatype $5, 0, 2, $4, $1
          Ret $5
        }
        """;
    assertThat(run(text, phis, true, 1)).isEqualTo("[8, 1]");
    assertThat(run(text, phis, false, 2)).isEqualTo("[7, 2]");
  }

  @Test
  void anIfWithoutElseHasItsCopyOnTheFalseEdge() {
    String text =
        """
        func @main(1) {
          LoadConsti $1, 7
          If $0, L1, L2
        L1: LoadConsti $2, 8
        L2: Phi $3, $1, $2
          Ret $3
        }
        """;
    try (Translated program = Translated.of(text)) {
      assertThat(program.listing())
          .isEqualTo(
              """
              @main:
                call  vm.builtin.copy  in: i7           dst: %1
                call  vm.builtin.read_if_cond in: %0           dst: %2
                If    %2, 4
                call  vm.builtin.copy  in: i8           dst: %3
                call  vm.builtin.copy  in: %3           dst: %4
                goto  2
                call  vm.builtin.copy  in: %1           dst: %4
                ret   %4
              """);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nestedBranchesJoinInTwoPhis(PhiStrategy phis) {
    String text =
        """
        func @main(2) {
          If $0, L1, L4
        L1: If $1, L2, L3
        L2: LoadConsti $2, 1
          Goto L5
        L3: LoadConsti $3, 2
        L5: Phi $4, $2, $3
          Goto L6
        L4: LoadConsti $5, 3
        L6: Phi $6, $4, $5
          Ret $6
        }
        """;
    assertThat(run(text, phis, true, true)).isEqualTo("1");
    assertThat(run(text, phis, true, false)).isEqualTo("2");
    assertThat(run(text, phis, false, true)).isEqualTo("3");
  }

  @ParameterizedTest
  @EnumSource
  void aPhiMayBeAfterItsJoin(PhiStrategy phis) {
    String text =
        """
        func @main(2) {
          If $0, L1, L2
        L1: LoadConsti $2, 1
          Goto L3
        L2: LoadConsti $3, 2
        L3: LoadConsti $4, 9
          If $1, L4, L5
        L4: Phi $5, $2, $3
          AllocDatatype $6, 0, 2, $5, $4
          Ret $6
        L5: LoadConsti $8, 0
          Phi $7, $3, $2
          AllocDatatype $9, 0, 2, $8, $7
          Ret $9
        }
        """;
    assertThat(run(text, phis, true, true)).isEqualTo("[1, 9]");
    assertThat(run(text, phis, false, true)).isEqualTo("[2, 9]");
    assertThat(run(text, phis, false, false)).isEqualTo("[0, 2]");
  }

  @ParameterizedTest
  @EnumSource
  void branchesMayJumpBackwardAndToOneTarget(PhiStrategy phis) {
    String text =
        """
        func @main(1) {
          Goto L2
        L1: LoadConsti $1, 5
          Ret $1
        L2: If $0, L3, L3
        L3: IfEq $0, 4, L1, L4
        L4: LoadConsti $2, 6
          Ret $2
        }
        """;
    assertThat(run(text, phis, 4)).isEqualTo("5");
    assertThat(run(text, phis, 1)).isEqualTo("6");
  }

  @Test
  void aBranchWhoseTargetsAreBothBehindTakesTwoJumps() {
    String text =
        """
        packed 0 = "first_element"
        func @main(2) {
          Goto L3
        L1: Goto L3
        L2: Ret $1
        L3: CallPacked $2, 0, 1, $0
          If $2, L1, L2
        }
        """;
    try (Translated program = Translated.of(text)) {
      assertThat(program.listing())
          .isEqualTo(
              """
              @main:
                call  first_element    in: %0           dst: %2
                call  vm.builtin.read_if_cond in: %2           dst: %3
                If    %3, 2
                goto  -3
                ret   %1
              """);
      try (Value value = program.call("main", Tensor.scalar(0L), 3)) {
        assertThat(value.asLong()).isEqualTo(3);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLoopCountsByAPhiAtItsHeader(PhiStrategy phis) {
    String text =
        """
        const 0 = tensor(int64,[],[0])
        packed 0 = "less"
        packed 1 = "plus_one"
        func @main(1) {
          0: LoadConst $1, 0
          1: Phi $2, $1, $5
          2: AllocTensor $3, 0, [], bool
          3: InvokePacked 0, 2, 1, $2, $0, $3
          4: If $3, +1, +4
          5: AllocTensor $5, 0, [], int64
          6: InvokePacked 1, 1, 1, $2, $5
          7: Goto -6
          8: Ret $2
        }
        """;
    for (boolean empty : new boolean[] {false, true}) {
      TranslationOptions options =
          TranslationOptions.DEFAULT.withPhis(phis).withEmptyPhiOperands(empty);
      try (Translated program = Translated.of(text, options);
          Value value = program.call("main", Tensor.scalar(10L))) {
        assertThat(value.asTensor().longAt()).isEqualTo(10);
      }
    }
  }

  /** Values before the loop, their swap in each iteration, and the old value after the loop. */
  @ParameterizedTest
  @EnumSource
  void valuesOfALoopAreSwappedAndTheOldOneIsKept(PhiStrategy phis) {
    String text =
        """
        packed 0 = "minus_one"
        packed 1 = "is_zero"
        func @main(1) {
          LoadConsti $1, 1
          LoadConsti $2, 2
        L1: Phi $3, $1, $4
          Phi $4, $2, $3
          Phi $5, $0, $6
          AllocTensor $6, 0, [], int64
          InvokePacked 0, 1, 1, $5, $6
          AllocTensor $7, 0, [], bool
          InvokePacked 1, 1, 1, $6, $7
          If $7, L2, L1
        L2: AllocDatatype $8, 0, 3, $3, $4, $5
          Ret $8
        }
        """;
    for (boolean empty : new boolean[] {false, true}) {
      TranslationOptions options =
          TranslationOptions.DEFAULT.withPhis(phis).withEmptyPhiOperands(empty);
      try (Translated program = Translated.of(text, options)) {
        for (long n = 1; n < 5; n++) {
          try (Value value = program.call("main", Tensor.scalar(n))) {
            assertThat(value.asTuple().at(0).asLong()).isEqualTo(n % 2 == 1 ? 1 : 2);
            assertThat(value.asTuple().at(1).asLong()).isEqualTo(n % 2 == 1 ? 2 : 1);
            assertThat(value.asTuple().at(2).asTensor().longAt()).isEqualTo(1);
          }
        }
      }
    }
  }

  /** Branches of equal conditions: which operand is defined only the executed path tells. */
  private static final String CORRELATED =
      """
      packed 0 = "minus_one"
      func @main(2) {
      L0: Phi $2, $1, $9
        If $0, L1, L2
      L1: LoadConsti $3, 1
      L2: IfEq $0, 0, L3, L4
      L3: LoadConsti $4, 2
      L4: Phi $5, $3, $4
        IfEq $2, 0, L5, L6
      L5: AllocDatatype $6, 0, 1, $5
        Ret $6
      L6: LoadConsti $9, 0
        Goto L0
      }
      """;

  @ParameterizedTest
  @EnumSource
  void whatBranchesDoNotDecideIsDecidedAtRunTime(PhiStrategy phis) {
    assertThat(run(CORRELATED, phis, 1, 0)).isEqualTo("[1]");
    assertThat(run(CORRELATED, phis, 0, 0)).isEqualTo("[2]");
    assertThat(run(CORRELATED, phis, 1, 1)).isEqualTo("[1]");
    assertThat(run(CORRELATED, phis, 0, 1)).isEqualTo("[2]");
  }

  /** The first iteration defines one operand, the second the other. */
  @ParameterizedTest
  @EnumSource
  void anOperandOfAFormerIterationIsNotValid(PhiStrategy phis) {
    String text =
        """
        packed 0 = "number_minus_one"
        func @main(1) {
        L0: Phi $1, $0, $9
          IfEq $1, 2, L1, L2
        L1: LoadConsti $2, 10
        L2: IfEq $1, 2, L4, L3
        L3: LoadConsti $3, 20
        L4: Phi $4, $2, $3
          IfEq $1, 1, L5, L6
        L5: Ret $4
        L6: CallPacked $9, 0, 1, $1
          Goto L0
        }
        """;
    assertThat(run(text, phis, 2)).isEqualTo("20");
    assertThat(run(text, phis, 1)).isEqualTo("20");
    assertThat(run(text, phis, 4)).isEqualTo("20");
  }

  @Test
  void aPhiWithoutOneValidOperandFails() {
    String bothOrNone = CORRELATED.replace("IfEq $0, 0, L3", "IfEq $0, 1, L3");
    assertThatThrownBy(() -> run(bothOrNone, PhiStrategy.STATIC, 1, 0))
        .isInstanceOf(CallException.class)
        .hasMessageStartingWith("both operands of a phi are defined\n");
    assertThatThrownBy(() -> run(bothOrNone, PhiStrategy.STATIC, 0, 0))
        .isInstanceOf(CallException.class)
        .hasMessageStartingWith("no operand of a phi is defined\n");
  }

  @ParameterizedTest
  @EnumSource
  void aKillBetweenTheJoinAndAPhiDoesNotEmptyItsResult(PhiStrategy phis) {
    String text =
        """
        func @main(1) {
          If $0, L1, L2
        L1: LoadConsti $1, 1
          Goto L3
        L2: LoadConsti $2, 2
        L3: Kill $3
          Phi $3, $1, $2
          Ret $3
        }
        """;
    assertThat(run(text, phis, true)).isEqualTo("1");
    assertThat(run(text, phis, false)).isEqualTo("2");
  }

  @ParameterizedTest
  @EnumSource
  void aPhiOfALoopKeepsTheValueOfItsJoin(PhiStrategy phis) {
    String text =
        """
        packed 0 = "number_minus_one"
        func @main(2) {
          If $0, L1, L2
        L1: LoadConsti $2, 1
          Goto L3
        L2: LoadConsti $3, 2
        L3: Goto L4
        L4: Phi $4, $1, $5
          CallPacked $5, 0, 1, $4
          Phi $6, $2, $3
          AllocDatatype $7, 0, 1, $6
          Kill $6
          IfEq $5, 0, L5, L4
        L5: Ret $7
        }
        """;
    assertThat(run(text, phis, true, 1)).isEqualTo("[1]");
    assertThat(run(text, phis, true, 3)).isEqualTo("[1]");
    assertThat(run(text, phis, false, 3)).isEqualTo("[2]");
  }

  @ParameterizedTest
  @EnumSource
  void aKillOfAnOperandBetweenTheJoinAndAPhiHasNoEffectOnIt(PhiStrategy phis) {
    String text =
        """
        func @main(2) {
          If $0, L1, L2
        L1: AllocDatatype $2, 1, 1, $1
          Goto L3
        L2: AllocDatatype $3, 2, 1, $1
        L3: Kill $2
          Phi $4, $2, $3
          GetTag $5, $4
          Ret $5
        }
        """;
    assertThat(run(text, phis, true, 7)).isEqualTo("1");
    assertThat(run(text, phis, false, 7)).isEqualTo("2");
  }

  /** A loop with two entries, L1 and L2: the first iteration of L1 defines an operand. */
  @ParameterizedTest
  @EnumSource
  void anOperandOfAFormerIterationIsNotValidInALoopWithTwoEntries(PhiStrategy phis) {
    String text =
        """
        packed 0 = "number_minus_one"
        func @main(2) {
          Mov $2, $1
          If $0, L1, L2
        L1: Phi $3, $2, $4
          IfEq $3, 2, L3, L4
        L3: LoadConsti $5, 10
        L4: IfEq $3, 2, L6, L5
        L5: LoadConsti $6, 20
        L6: Phi $7, $5, $6
          IfEq $3, 1, L7, L2
        L2: CallPacked $4, 0, 1, $2
          Goto L1
        L7: Ret $7
        }
        """;
    assertThat(run(text, phis, true, 2)).isEqualTo("20");
  }

  /** The result of the Phi of a loop is an operand of one that looks at run time. */
  @ParameterizedTest
  @EnumSource
  void theResultOfAPhiAtALoopIsAnOperandOfAnotherPhi(PhiStrategy phis) {
    String text =
        """
        packed 0 = "number_minus_one"
        func @main(2) {
        L0: Phi $2, $1, $9
          CallPacked $9, 0, 1, $2
          IfEq $0, 0, L1, L2
        L1: Kill $2
        L2: IfEq $0, 0, L3, L4
        L3: LoadConsti $4, 5
        L4: Phi $5, $2, $4
          IfEq $9, 0, L6, L0
        L6: Ret $5
        }
        """;
    assertThat(run(text, phis, 0, 2)).isEqualTo("5");
    assertThat(run(text, phis, 1, 2)).isEqualTo("1");
  }

  private static String run(String text, PhiStrategy phis, Object... args) {
    try (Translated program = Translated.of(text, TranslationOptions.DEFAULT.withPhis(phis));
        Value value = program.call("main", args)) {
      return value.toString();
    }
  }
}
