package org.relaxvm.interoprelay.proposal.interp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.Value;

/** Which operand a Phi takes. Loops count integers down by a packed function. */
class PhiTest {
  private static String text(String program, Object... args) {
    try (Value value = Interpreted.main(program, args)) {
      return value.toString();
    }
  }

  @Test
  void operandsMayBeSwappedAndThePhiMayFollowLater() {
    String program =
        """
        func @main(3) {
          If $0, a, b
        a: Mov $3, $1
          Goto join
        b: Mov $4, $2
          Goto join
        join: If $1, more, last
        more: Phi $5, $4, $3          ; in a block that the join dominates
          Ret $5
        last: Mov $6, $2
          Phi $7, $3, $4              ; after another instruction
          AllocDatatype $8, 0, 2, $6, $7
          Ret $8
        }
        """;
    assertThat(text(program, 1, 5, 6)).isEqualTo("5");
    assertThat(text(program, 0, 5, 6)).isEqualTo("6");
    assertThat(text(program, 1, 0, 6)).isEqualTo("[6, 0]");
    assertThat(text(program, 0, 0, 6)).isEqualTo("[6, 6]");
  }

  @Test
  void aBranchWithoutElseHasTheValueFromBeforeIt() {
    String program =
        """
        func @main(2) {
          LoadConsti $2, 7
          If $0, then, join
        then: Mov $3, $1
        join: Phi $4, $2, $3
          Ret $4
        }
        """;
    assertThat(text(program, 1, 5)).isEqualTo("5");
    assertThat(text(program, 0, 5)).isEqualTo("7");
  }

  @Test
  void targetsMayBeInAnyOrderAndEqual() {
    String program =
        """
        func @main(3) {
          Goto test
        yes: Mov $3, $1
          Goto join
        test: If $0, yes, no
        no: Mov $4, $2
        join: Phi $5, $3, $4
          If $5, end, end
        end: Ret $5
        }
        """;
    assertThat(text(program, 1, 5, 6)).isEqualTo("5");
    assertThat(text(program, 0, 5, 6)).isEqualTo("6");
  }

  @Test
  void threeBranchesJoinByTwoPhis() {
    String program =
        """
        func @main(1) {
          IfEq $0, 0, zero, other
        zero: LoadConsti $1, 10
          Goto outer
        other: IfEq $0, 1, one, two
        one: LoadConsti $2, 11
          Goto inner
        two: LoadConsti $3, 12
        inner: Phi $4, $2, $3
        outer: Phi $5, $1, $4
          Ret $5
        }
        """;
    assertThat(text(program, 0)).isEqualTo("10");
    assertThat(text(program, 1)).isEqualTo("11");
    assertThat(text(program, 9)).isEqualTo("12");
  }

  @Test
  void valuesThatALoopCarriesChangePlaces() {
    String program =
        """
        packed 0 = "number_minus_one"
        func @main(3) {
        header: Phi $3, $0, $6
          Phi $4, $1, $7              ; a, b = b, a
          Phi $5, $2, $8
          If $3, body, exit
        body: CallPacked $6, 0, 1, $3
          Mov $7, $5
          Mov $8, $4
          Goto header
        exit: AllocDatatype $9, 0, 2, $4, $5
          Ret $9
        }
        """;
    assertThat(text(program, 0, 1, 2)).isEqualTo("[1, 2]");
    assertThat(text(program, 3, 1, 2)).isEqualTo("[2, 1]");
    assertThat(text(program, 4, 1, 2)).isEqualTo("[1, 2]");
  }

  @Test
  void thePhisOfAJoinTakeTheirOperandsTogether() {
    String program =
        """
        packed 0 = "number_minus_one"
        func @main(3) {
        header: Phi $3, $0, $6
          Phi $4, $1, $5              ; takes the former $5, not the one defined next
          Phi $5, $2, $4
          If $3, body, exit
        body: CallPacked $6, 0, 1, $3
          Goto header
        exit: AllocDatatype $7, 0, 2, $4, $5
          Ret $7
        }
        """;
    assertThat(text(program, 1, 1, 2)).isEqualTo("[2, 1]");
    assertThat(text(program, 2, 1, 2)).isEqualTo("[1, 2]");
  }

  @Test
  void theValueBeforeTheLastIterationIsKeptAfterTheLoop() {
    String program =
        """
        packed 0 = "number_minus_one"
        func @main(1) {
        header: Phi $1, $0, $2
          CallPacked $2, 0, 1, $1
          If $2, header, exit
        exit: AllocDatatype $3, 0, 2, $1, $2
          Ret $3
        }
        """;
    assertThat(text(program, 3)).isEqualTo("[1, 0]");
  }

  @Test
  void aDefinitionOfAFormerIterationIsNotValid() {
    String program =
        """
        packed 0 = "number_minus_one"
        func @main(1) {
          LoadConsti $1, 100
          AllocDatatype $2, 0, 0
        header: Phi $3, $0, $9
          Phi $4, $2, $8
          IfEq $3, 3, then, join      ; in the first iteration only
        then: LoadConsti $5, 200
        join: Phi $6, $1, $5
          AllocDatatype $8, 1, 2, $6, $4
          CallPacked $9, 0, 1, $3
          If $9, header, exit
        exit: Ret $8
        }
        """;
    assertThat(text(program, 3)).isEqualTo("#1[100, #1[100, #1[200, []]]]");
  }

  @Test
  void aPhiThatLooksAtRunTimeNeedsExactlyOneOperand() {
    String program =
        """
        func @main(2) {
          If $0, a, b
        a: LoadConsti $2, 1
        b: If $1, c, join
        c: LoadConsti $3, 2
        join: Phi $4, $2, $3
          Ret $4
        }
        """;
    assertThat(text(program, 1, 0)).isEqualTo("1");
    assertThat(text(program, 0, 1)).isEqualTo("2");
    Interpreted.assertFails(
        """
        no operand of a Phi is valid: $2 and $3
          expected: one of them defined on the executed path
          what to do: define one operand in each branch
          at function main, instruction 4: Phi $4, $2, $3
        """,
        program,
        0,
        0);
    Interpreted.assertFails(
        """
        both operands of a Phi are valid: $2 and $3
          expected: one of them defined on the executed path
          what to do: define one operand in each branch
          at function main, instruction 4: Phi $4, $2, $3
        """,
        program,
        1,
        1);
  }
}
