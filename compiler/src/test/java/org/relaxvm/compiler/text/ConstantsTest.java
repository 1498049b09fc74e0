package org.relaxvm.compiler.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.type.VDevice;

/** Constants in the text and beside it. */
class ConstantsTest {
  private static final long SEED = Long.getLong("relaxvm.seed", System.nanoTime());

  private static IRModule module(Constant... constants) {
    BlockBuilder builder = new BlockBuilder();
    builder.function("main", f -> Tuple.of(constants));
    return builder.module();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          R.const(1)                        | R.const(1, "int32")
          R.const(-1.5)                     | R.const(-1.5, "float32")
          R.const(True)                     | R.const(True, "bool")
          R.const([1, 2.5])                 | R.const([1.0, 2.5], "float32")
          R.const([True, 2])                | R.const([1, 2], "int32")
          R.const([[1, 2], [3, 4]], "int8") | R.const([[1, 2], [3, 4]], "int8")
          R.const((1, 2), dtype="int64")    | R.const([1, 2], "int64")
          R.const(1, "float16")             | R.const(1.0, "float16")
          R.const(0.1, "bfloat16")          | R.const(0.100097656, "bfloat16")
          R.const(0.1, "float64")           | R.const(0.1, "float64")
          R.const(1e30)                     | R.const(1.0e30, "float32")
          R.const(-0.0)                     | R.const(-0.0, "float32")
          R.const(255, "uint8")             | R.const(255, "uint8")
          R.const(18446744073709551615, "uint64") | R.const(18446744073709551615, "uint64")
          R.const(float("nan"))             | R.const(float("nan"), "float32")
          R.const(float("-inf"), "float16") | R.const(float("-inf"), "float16")
          R.const(1, "bool")                | R.const(True, "bool")
          R.const(2, R.Tensor((), "int8"))  | R.const(2, "int8")
          R.const(1, vdevice="cuda:0")      | R.const(1, "int32", vdevice="cuda:0:global")
          """)
  void readsAndPrintsNumbers(String text, String printed) {
    assertThat(Texts.printedMain("return " + text)).isEqualTo("return " + printed + "\n");
  }

  @Test
  void readsTheElementsRowByRow() {
    Constant constant = (Constant) Texts.value("y = R.const([[1, 2, 3], [4, 5, 6]], \"uint16\")");
    assertThat(constant.data().shape()).isEqualTo(Shape.of(2, 3));
    assertThat(constant.data().toLongArray()).containsExactly(1, 2, 3, 4, 5, 6);
  }

  @Test
  void anEmptyListHasNoElements() {
    Constant constant = (Constant) Texts.value("y = R.const([[], []], \"int8\")");
    assertThat(constant.data().shape()).isEqualTo(Shape.of(2, 0));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bool",
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint16",
        "uint32",
        "uint64",
        "float16",
        "bfloat16",
        "float32",
        "float64"
      })
  void eachBitOfRandomElementsIsKept(String name) {
    System.out.println("ConstantsTest: -Drelaxvm.seed=" + SEED);
    DType dtype = DType.parse(name);
    Random random = new Random(SEED);
    for (int round = 0; round < 50; round++) {
      byte[] bytes = new byte[4 * dtype.elementByteSize()];
      random.nextBytes(bytes);
      if (dtype.equals(DType.BOOL)) {
        for (int i = 0; i < bytes.length; i++) {
          bytes[i] &= 1;
        }
      }
      Tensor data = Tensor.of(bytes, dtype, Shape.of(2, 2));
      RelaxText.Printed printed = RelaxText.printWithConstants(module(new Constant(data)));
      Tuple again =
          (Tuple)
              Texts.function(
                      Texts.parse(printed.text(), printed.constants().toArray(Tensor[]::new)),
                      "main")
                  .body()
                  .body();
      assertThat(
              ((Constant) again.fields().getFirst())
                  .data()
                  .segment()
                  .toArray(ValueLayout.JAVA_BYTE))
          .as("%s with -Drelaxvm.seed=%d", printed.text(), SEED)
          .isEqualTo(bytes);
    }
  }

  @Test
  void largeConstantsAndThoseWithoutNumbersStandBesideTheText() {
    Tensor large = Tensor.zeros(DType.FLOAT32, Shape.of(17));
    Tensor none = Tensor.zeros(DType.FLOAT32, Shape.of(0, 3));
    Tensor packed = Tensor.zeros(DType.parse("int4"), Shape.of(2));
    Tensor small = Tensor.zeros(DType.INT8, Shape.of(16));
    IRModule module =
        module(
            new Constant(large),
            new Constant(none),
            new Constant(packed),
            new Constant(small),
            new Constant(large, Optional.of(new VDevice("cuda", 1, "global"))));
    RelaxText.Printed printed = RelaxText.printWithConstants(module);
    assertThat(printed.constants()).containsExactly(large, none, packed);
    assertThat(printed.text())
        .contains(
            """
            return (metadata["relax.expr.Constant"][0], metadata["relax.expr.Constant"][1], \
            metadata["relax.expr.Constant"][2], \
            R.const([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "int8"), \
            R.const(metadata["relax.expr.Constant"][0], vdevice="cuda:1:global"))
            """);
    assertThat(RelaxText.print(module)).isEqualTo(printed.text());
    Texts.assertRoundTrip(module);
  }

  @Test
  void oneReferenceIsOneConstant() {
    Tensor data = Tensor.zeros(DType.FLOAT32, Shape.of(4));
    Call call =
        (Call)
            Texts.value(
                "y = R.add(metadata[\"relax.expr.Constant\"][0],"
                    + " metadata[\"relax.expr.Constant\"][0])",
                data);
    assertThat(call.args().get(0)).isSameAs(call.args().get(1));
    assertThat(((Constant) call.args().get(0)).data()).isSameAs(data);
  }

  @Test
  void aListOfTensorsMayHaveMoreThanTheTextNames() {
    assertThat(
            RelaxText.parse(
                    Texts.main("return x"),
                    "model.py",
                    Texts.OPS,
                    List.of(Tensor.scalar(1f), Tensor.scalar(2f)))
                .functions())
        .hasSize(1);
  }
}
