package org.relaxvm.tir.eval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.error.CallException;
import org.relaxvm.tir.text.TirText;

/** Host functions in the evaluator. */
class HostFunctionEvaluatorTest {
  private static final Map<String, PackedFunc> FUNCTIONS =
      Map.of(
          "add", (args, result) -> result.setLong(args.longAt(0) + args.longAt(1)),
          "below", (args, result) -> result.setBoolean(args.longAt(0) < args.longAt(1)),
          "half", (args, result) -> result.setDouble(args.doubleAt(0) / 2),
          "copy", (args, result) -> result.setArgument(args, 0),
          "text", (args, result) -> result.set("no number"));

  private final AnyList registers = AnyList.registers(4, 1);
  private final AnyList constants = AnyList.view(Arrays.asList(7L, "seven"));

  private void run(String body) {
    String text =
        "@T.prim_func\ndef main(ctx: T.handle, r: T.handle, c: T.handle, f: T.handle):\n    "
            + body.strip().replace("\n", "\n    ")
            + "\n";
    new Evaluator(name -> Optional.ofNullable(FUNCTIONS.get(name)), false)
        .run(
            TirText.parse(text, "host").getFirst(),
            Arrays.asList(null, registers, constants, constants));
  }

  @Test
  void cellsAreReadAndWritten() {
    registers.set(0, 5L);
    run(
        "T.anylist_setitem_call_packed(r, 1, \"add\", T.anylist_getitem(r, 0), T.anylist_getitem(c,"
            + " 0))");
    assertThat(registers.get(1)).isEqualTo(12L);
    run("T.anylist_setitem_call_packed(r, 2, \"copy\", None)");
    assertThat(registers.get(2)).isNull();
  }

  @Test
  void resultsChooseAmongCalls() {
    registers.set(0, 5L);
    String text =
        """
        with T.LetStmt(T.call_packed("below", T.anylist_getitem(r, 0), 6), var=b):
            if b:
                T.anylist_setitem_call_packed(r, 1, "copy", "low")
            else:
                T.anylist_setitem_call_packed(r, 1, "copy", "high")
        """;
    run(text);
    assertThat(registers.get(1)).isEqualTo("low");
    registers.set(0, 6L);
    run(text);
    assertThat(registers.get(1)).isEqualTo("high");
  }

  @Test
  void jumpsLeaveTheInnermostLoop() {
    registers.set(0, 0L);
    run(
        """
        for k in range(3):
            for i in range(9223372036854775807):
                T.anylist_setitem_call_packed(r, 0, "add", T.anylist_getitem(r, 0), 1)
                with T.LetStmt(T.call_packed("below", i, 4), var=b):
                    if b:
                        continue
                break
        """);
    assertThat(registers.get(0)).isEqualTo(15L);
  }

  @Test
  void resultsBecomeNumbersOfTheVariable() {
    run(
        """
        with T.LetStmt(T.call_packed("add", 2, 3), var=n, dtype="int64"):
            with T.LetStmt(T.call_packed("half", n), var=x, dtype="float64"):
                with T.LetStmt(T.call_packed("add", 0, 2), var=y, dtype="float64"):
                    T.anylist_setitem_call_packed(r, 1, "copy", x)
                    T.anylist_setitem_call_packed(r, 2, "copy", y)
        """);
    assertThat(registers.get(1)).isEqualTo(2.5);
    assertThat(registers.get(2)).isEqualTo(2.0);
    assertThatThrownBy(() -> run("with T.LetStmt(T.call_packed(\"text\"), var=b):\n    pass"))
        .isInstanceOf(CallException.class)
        .hasMessageContaining("the result of text must be a bool, but is no number");
  }

  @Test
  void cellsOwnTheirValues() {
    Tensor tensor = Tensor.of(new float[] {1}, Shape.of(1));
    registers.set(0, tensor);
    run("T.anylist_setitem_call_packed(r, 1, \"copy\", T.anylist_getitem(r, 0))");
    tensor.close();
    registers.set(0, null);
    assertThat(tensor.isLive()).isTrue();
    registers.clear();
    assertThat(tensor.isLive()).isFalse();
  }

  @Test
  void aListMustBeOne() {
    assertThatThrownBy(() -> run("T.call_packed(\"copy\", T.anylist_getitem(ctx, 0))"))
        .hasMessageContaining("the parameter ctx: expected a list of values, but got null");
    assertThatThrownBy(() -> run("T.anylist_setitem_call_packed(c, 0, \"copy\", 1)"))
        .hasMessageContaining("constants and functions cannot be written, but cell 0 is written");
    assertThatThrownBy(() -> run("T.anylist_setitem_call_packed(r, 4, \"copy\", 1)"))
        .hasMessageContaining("cell 4 of a list of 4 cells");
  }
}
