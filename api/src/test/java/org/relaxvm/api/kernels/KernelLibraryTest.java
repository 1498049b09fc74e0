package org.relaxvm.api.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;

class KernelLibraryTest {
  private static final List<KernelSignature> ROWS = KernelLibrary.standard().signatures();

  @Test
  void namesAreUniqueAndPrefixed() {
    assertThat(ROWS)
        .extracting(KernelSignature::name)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches("relaxvm\\.[a-z0-9_]+"));
  }

  @Test
  void everyKernelEndsWithItsOneOutput() {
    for (KernelSignature row : ROWS) {
      List<KernelArgument> arguments = row.arguments();
      assertThat(arguments).as(row.name()).extracting(KernelArgument::name).doesNotHaveDuplicates();
      assertThat(arguments.getLast().role()).as(row.name()).isEqualTo(ArgumentRole.OUTPUT);
      assertThat(arguments).filteredOn(a -> a.role() == ArgumentRole.OUTPUT).hasSize(1);
    }
  }

  @Test
  void dtypesReferToEarlierArgumentsAndOnlyTensorsHaveThem() {
    for (KernelSignature row : ROWS) {
      for (KernelArgument argument : row.arguments()) {
        boolean hasDType = argument.role().isTensor() || argument.role() == ArgumentRole.INPUT_LIST;
        assertThat(argument.dtypes() != DTypeSet.NONE).as(row.call()).isEqualTo(hasDType);
        String other = argument.sameDTypeAs();
        if (other != null) {
          assertThat(row.indexOf(other)).isLessThan(row.indexOf(argument.name()));
        }
      }
    }
  }

  @Test
  void rowsAreFoundByName() {
    KernelSignature matmul = KernelLibrary.standard().find("relaxvm.matmul").orElseThrow();
    assertThat(matmul.call())
        .isEqualTo("relaxvm.matmul(a, b, bias, transpose_a, transpose_b, activation, out)");
    assertThat(matmul.indexOf("out")).isEqualTo(6);
    assertThatThrownBy(() -> matmul.indexOf("c"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("relaxvm.matmul has no argument 'c'");
    assertThat(KernelLibrary.standard().find("relaxvm.nothing")).isEmpty();
  }

  @Test
  void checkNamesTheArgumentThatIsWrong() {
    KernelSignature cast = KernelLibrary.standard().find("relaxvm.cast").orElseThrow();
    Tensor x = Tensor.scalar(1f);
    cast.check(CallArgs.of(x, x));
    Tensor half = Tensor.zeros(DType.parse("float8_e4m3"), Shape.of(1));
    assertThatThrownBy(() -> cast.check(CallArgs.of(x, half)))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "relaxvm.cast: argument #1 'out' must be a tensor of "
                + DTypeSet.CASTABLE.text()
                + " but is float8_e4m3[1] on cpu:0");
  }

  @Test
  void dtypeSetsHaveTheirMembersOnly() {
    assertThat(DTypeSet.FLOATS.contains(DType.BFLOAT16)).isTrue();
    assertThat(DTypeSet.FLOATS.contains(DType.parse("float32x4"))).isFalse();
    assertThat(DTypeSet.FLOATS.contains(DType.INT32)).isFalse();
    assertThat(DTypeSet.NUMBERS.contains(DType.UINT64)).isTrue();
    assertThat(DTypeSet.NUMBERS.contains(DType.parse("int4"))).isFalse();
    assertThat(DTypeSet.NUMBERS.contains(DType.BOOL)).isFalse();
    assertThat(DTypeSet.ALL.contains(DType.BOOL)).isTrue();
    assertThat(DTypeSet.NONE.contains(DType.FLOAT32)).isFalse();
  }
}
