package org.relaxvm.interoprelay.proposal.verify;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.interoprelay.proposal.text.RelayText;

/** Which Phis dominators decide. */
class PhiRulesTest {
  private static VerifiedFunction verified(String text) {
    return RelayVerifier.verify(RelayText.parse(text)).functions().getFirst();
  }

  private static void assertDecided(String text) {
    VerifiedFunction function = verified(text);
    assertThat(function.runTimePhis()).isEmpty();
    assertThat(function.joins()).isNotEmpty();
  }

  private static void assertLooksAtRunTime(String text) {
    assertThat(verified(text).runTimePhis()).hasSize(1);
  }

  @Test
  void aDiamondIsDecided() {
    assertDecided(
        "func @main(1) { If $0, +1, +3 Mov $1, $0 Goto +2 Mov $2, $0 Phi $3, $1, $2 Ret $3 }");
  }

  @Test
  void aLoopIsDecidedAlsoAtTheFirstInstruction() {
    assertDecided("func @main(2) { Mov $2, $0 Phi $3, $2, $4 Mov $4, $1 If $3, -2, +1 Ret $3 }");
    assertDecided("func @main(2) { Phi $2, $0, $3 Mov $3, $1 If $2, -2, +1 Ret $2 }");
  }

  @Test
  void twoBranchesOnOneConditionAreNot() {
    assertLooksAtRunTime(
        """
        func @main(1) {
          If $0, a, b
        a: Mov $1, $0
        b: If $0, join, c
        c: Mov $2, $0
        join: Phi $3, $1, $2
          Ret $3
        }
        """);
  }

  @Test
  void aKilledOperandIsNot() {
    assertLooksAtRunTime(
        """
        func @main(1) {
          If $0, a, b
        a: Mov $1, $0
          If $0, dead, join
        dead: Kill $1
          Goto join
        b: Mov $2, $0
        join: Phi $3, $1, $2
          Ret $3
        }
        """);
  }

  @Test
  void anOperandThatMayBeDefinedBesideTheOtherIsNot() {
    assertLooksAtRunTime(
        """
        func @main(1) {
          Mov $1, $0
          If $0, a, b
        a: Mov $2, $0
        b: If $0, join, c
        c: Mov $4, $0
        join: Phi $3, $1, $2
          Ret $3
        }
        """);
  }

  @Test
  void aValueOfAFormerIterationDoesNotCount() {
    // $3 is defined in some iterations only; each begins without it.
    assertDecided(
        """
        func @main(2) {
          Mov $2, $0
        header: If $0, then, join
        then: Mov $3, $1
        join: Phi $4, $2, $3
          If $4, header, done
        done: Ret $4
        }
        """);
  }
}
