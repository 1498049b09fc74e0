package org.relaxvm.tir.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.StructuralEquality;
import org.relaxvm.tir.stmt.AnyListItem;
import org.relaxvm.tir.stmt.CallLinkage;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.Stmt;

/** The text form of host functions (docs/spec/vm-codegen.md, section 5). */
class HostFunctionTextTest {
  private static final String HEAD =
      """
      # relaxvm tir 1
      @T.prim_func
      def main(ctx_ptr: T.handle, r: T.handle, c: T.handle, f: T.handle):
      """;

  private static final String HOST =
      HEAD
          + """
              for i in range(9223372036854775807):
                  T.anylist_setitem_call_packed(r, 4, "f", T.anylist_getitem(r, 0), T.anylist_getitem(c, 3), i, None)
                  T.anylist_setitem_call_cpacked(r, 5, "kernel", ctx_ptr, "text", T.float64(0.5), True)
                  with T.LetStmt(T.call_packed("test", T.anylist_getitem(f, 0)), var=is_true):
                      if is_true:
                          T.call_cpacked("kernel")
                          continue
                      else:
                          T.call_packed("f", is_true)
                  with T.LetStmt(T.call_packed("count"), var=n, dtype="int64"):
                      T.call_packed("f", n)
                  with T.LetStmt(T.call_cpacked("mean"), var=x, dtype="float64"):
                      T.call_packed("f", x)
                  break
          """;

  private static PrimFunc parse(String text) {
    return TirText.parse(text, "host.tir").getFirst();
  }

  @Test
  void aHostFunctionPrintsAsWritten() {
    PrimFunc host = parse(HOST);
    assertThat(host.isHostFunction()).isTrue();
    assertThat(host.params()).hasSize(4).allMatch(param -> param instanceof Param.OfHandle);
    assertThat(TirText.print(host)).isEqualTo(HOST);
  }

  @Test
  void unusedHandlesAreParameters() {
    String text = HEAD + "    pass\n";
    assertThat(TirText.print(parse(text))).isEqualTo(text);
  }

  @Test
  void equalityComparesCellsLinkageAndJumps() {
    assertThat(StructuralEquality.areEqual(parse(HOST), parse(HOST))).isTrue();
    for (String[] change :
        new String[][] {
          {"(r, 4,", "(r, 3,"},
          {"call_packed(r, 4", "call_cpacked(r, 4"},
          {"(r, 0)", "(r, 1)"},
          {"(c, 3)", "(f, 3)"},
          {"continue", "break"},
          {"None", "0"},
          {"ctx_ptr, \"text\"", "r, \"text\""},
          {"var=n, dtype=\"int64\"", "var=n, dtype=\"float64\""},
          {"T.anylist_setitem_call_packed(r, 4, \"f\", ", "T.call_packed(\"f\", "}
        }) {
      String other = HOST.replace(change[0], change[1]);
      assertThat(other).isNotEqualTo(HOST);
      assertThat(StructuralEquality.areEqual(parse(HOST), parse(other))).as(change[1]).isFalse();
    }
  }

  @Test
  void rewritingKeepsCells() {
    PrimFunc host = parse(HOST);
    PrimFunc renamed =
        new IrMutator() {
          @Override
          public Stmt rewrite(Stmt stmt) {
            return stmt instanceof CallPacked call && call.name().equals("f")
                ? super.rewrite(call.withName("g"))
                : super.rewrite(stmt);
          }
        }.rewrite(host);
    assertThat(TirText.print(renamed)).isEqualTo(HOST.replace("\"f\"", "\"g\""));
  }

  @Test
  void aHandleThatIsNoParameterIsNotPrinted() {
    Handle stranger = new Handle("stranger");
    PrimFunc host =
        new PrimFunc(
            "main",
            List.of(new Param.OfHandle(new Handle("r"))),
            DType.VOID,
            new CallPacked(
                "f", List.of(), CallLinkage.PACKED, Optional.of(new AnyListItem(stranger, 0))),
            Map.of());
    assertThatThrownBy(() -> TirText.print(host))
        .hasMessage("the function main uses the handle stranger, which is none of its parameters");
  }

  private static void refused(String line, String message) {
    assertThatThrownBy(() -> parse(HEAD + "    " + line + "\n"))
        .hasMessageStartingWith("host.tir:4:")
        .hasMessageContaining(message);
  }

  @Test
  void wrongUsesOfHandlesAreRefused() {
    refused(
        "T.call_packed(\"f\", 1 + r)",
        "'r' is a T.handle, which only packed calls take as an argument");
    refused("r[0] = 1", "'r' is a T.handle, which only packed calls take as an argument");
    refused("T.call_packed(\"f\", T.anylist_getitem(x, 0))", "'x' is no T.handle of this function");
    refused(
        "T.anylist_setitem_call_packed(r, 99999999999, \"f\")",
        "the number of a cell must fit 32 bits");
    refused("T.anylist_setitem_call_packed(r, \"f\")", "the number of a cell");
  }
}
