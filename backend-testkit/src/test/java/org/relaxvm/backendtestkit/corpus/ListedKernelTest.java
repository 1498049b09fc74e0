package org.relaxvm.backendtestkit.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verifier;

class ListedKernelTest {
  @Test
  void eachHasAnotherName() {
    assertThat(ListedKernel.all().map(ListedKernel::toString).toList()).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("org.relaxvm.backendtestkit.corpus.ListedKernel#all")
  void eachIsValidAndKeepsItsText(ListedKernel listed) {
    PrimFunc kernel = listed.kernel();
    Verifier.verify(kernel);
    String text = TirText.print(kernel);
    assertThat(TirText.print(TirText.parse(text, "again").getFirst())).isEqualTo(text);
  }
}
