package org.relaxvm.tir.op;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

class LibraryHintTest {
  private static final String TEXT =
      "A, null, true, false, -3, 0.5, 1.0E-5, 'none', 'a, b', [1;-1], [], inf, -inf, nan";

  private final KernelBuilder k = new KernelBuilder("k");
  private final List<PrimExpr> square = List.of(IntImm.of(3), IntImm.of(3));
  private final TensorExpr a = k.input("A", DType.FLOAT32, square);
  private final TensorExpr b = k.input("B", DType.FLOAT32, square);

  @Test
  void argumentsComeBackFromTheirText() {
    LibraryHint hint = new LibraryHint("f", LibraryHint.parse(TEXT));
    assertThat(hint.args()).hasSize(14);
    assertThat(hint.args().get(7)).isEqualTo(new LibraryArg.OfText("none"));
    assertThat(hint.args().get(9)).isEqualTo(new LibraryArg.OfShape(List.of(1L, -1L)));
    assertThat(hint.attrs()).isEqualTo(Map.of(LibraryHint.FUNCTION, "f", LibraryHint.ARGS, TEXT));
  }

  @Test
  void kernelsWithArgumentsThatAreNoneAreNamed() {
    TensorExpr c = k.compute("C", square, i -> a.at(i));
    Map<String, Object> attrs = Map.of(LibraryHint.FUNCTION, "f", LibraryHint.ARGS, "A, [1;x], C");
    PrimFunc kernel = k.build(c).withAttrs(attrs);
    assertThatThrownBy(() -> LibraryHint.of(kernel))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "'[1;x]' in the library arguments \"A, [1;x], C\" of the kernel k is none: expected a"
                + " name, true, false, null, a number, 'text' or [1;2]");
  }

  @Test
  void whatIsNoArgumentIsNamed() {
    for (String part : List.of("1.2.3", "[a]", "[1;]", "9223372036854775808")) {
      assertThatThrownBy(() -> LibraryHint.parse("A, " + part))
          .isInstanceOf(InvalidProgramException.class)
          .hasMessage(
              "'%s' in the library arguments \"A, %s\" is none: expected a name, true, false, null,"
                  + " a number, 'text' or [1;2]",
              part, part);
    }
    assertThatThrownBy(() -> LibraryHint.parse("A,")).isInstanceOf(InvalidProgramException.class);
    assertThatThrownBy(() -> LibraryHint.parse("'A")).isInstanceOf(InvalidProgramException.class);
    assertThat(LibraryHint.parse(" ")).isEmpty();
  }

  @Test
  void aMatmulNamesItsLibraryFunction() {
    PrimFunc function = k.build(LinearOps.matmul(k, "C", a, b, null));
    assertThat(function.attrs())
        .isEqualTo(
            Map.of(
                "library",
                "relaxvm.matmul",
                "library.args",
                "A, B, null, false, false, 'none', C"));
    assertThat(LibraryHint.of(function).orElseThrow().attrs()).isEqualTo(function.attrs());
  }

  @Test
  void aKernelThatComputesMoreHasNoHint() {
    TensorExpr matmul = LinearOps.matmul(k, "C", a, b, null);
    PrimFunc function = k.build(ActivationOps.relu(k, "D", matmul));
    assertThat(LibraryHint.of(function)).isEmpty();
    TensorExpr ofComputed = LinearOps.matmul(k, "E", matmul, b, null);
    assertThat(LibraryHint.of(k.build(ofComputed))).isEmpty();
  }

  @Test
  void wrongOperandsAreRefused() {
    TensorExpr c = k.input("C", DType.FLOAT32, List.of(IntImm.of(4)));
    TensorExpr i = k.input("I", DType.INT32, square);
    assertThatThrownBy(() -> LinearOps.matmul(k, "D", a, c, null))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("matmul: the reduced extents of A and C must be equal, but are 3 and 4");
    assertThatThrownBy(() -> BinaryOps.add(k, "D", a, i))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("+: expected one dtype, but A is float32 and I is int32");
    assertThatThrownBy(() -> BinaryOps.add(k, "D", a, c))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("+: cannot broadcast 3 against 4: expected equal extents or the constant 1");
    assertThatThrownBy(() -> ReductionOps.sum(k, "D", a, List.of(2), false))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("sum: expected an axis of -2 to 1, but got 2");
    assertThatThrownBy(() -> ReductionOps.mean(k, "D", i, null, false))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("mean: expected a float dtype for I, but it is int32");
  }
}
