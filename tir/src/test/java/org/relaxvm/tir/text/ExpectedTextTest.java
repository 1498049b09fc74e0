package org.relaxvm.tir.text;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.MalformedFileException;

/** Whole messages of words that must come and do not. */
class ExpectedTextTest {
  private static final String HEAD =
      """
      @T.prim_func
      def f(A: T.Buffer((n, 4), "float32"), k: T.int64, h: T.handle):
          H = T.match_buffer(h, (4,), "int64")
      """;

  /** Refuses a text because of what is in its last line. */
  private static void refusedText(String text, int column, String expected, String got) {
    String[] lines = text.split("\n");
    String front = "  " + lines.length + " | ";
    assertThatThrownBy(() -> TirText.parse(text, "k.tir"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "k.tir:%d:%d: expected %s, but got %s\n%s%s\n%s^"
                .formatted(
                    lines.length,
                    column,
                    expected,
                    got,
                    front,
                    lines[lines.length - 1],
                    " ".repeat(front.length() + column - 1)));
  }

  /** Refuses a kernel with these lines after its head, because of what is in the last of them. */
  private static void refused(String lines, int column, String expected, String got) {
    refusedText(HEAD + lines.indent(4), column, expected, got);
  }

  private static void refusedInBlock(String line, int column, String expected, String got) {
    refused("with T.block(\"b\"):\n    " + line, column, expected, got);
  }

  @Test
  void decoratorsHaveArgumentsWithNames() {
    refusedText("@T.prim_func(\"f\")", 14, "an argument such as private=True", "the string \"f\"");
    refusedText("@T.prim_func(private True)", 22, "'='", "'True'");
    refusedText("@T.prim_func(private=1)", 22, "True or False", "'1'");
    refusedText("@T.prim_func(s_tir=yes)", 20, "True or False", "'yes'");
    refusedText("@T.prim_func(name=f)", 19, "a name in quotes", "'f'");
    refusedText("@T.prim_func(private=True name=\"f\")", 27, "',' or ')'", "'name'");
    refusedText("@T.prim_func def f():", 14, "the end of the line", "'def'");
    refusedText("@T[1]", 3, "'.'", "'['");
    refusedText("@T.1", 3, "'.'", "'.1'");
  }

  @Test
  void kernelsHaveNamesAndParameters() {
    refusedText("@T.prim_func\nclass f:", 1, "'def'", "'class'");
    refusedText("@T.prim_func\ndef 5():", 5, "the name of a kernel", "'5'");
    refusedText("@T.prim_func\ndef f:", 6, "'('", "':'");
    refusedText("@T.prim_func\ndef f(\"a\"):", 7, "the name of a parameter", "the string \"a\"");
    refusedText("@T.prim_func\ndef f(a T.int8):", 9, "':'", "'T'");
    refusedText("@T.prim_func\ndef f(a: int8):", 10, "'T'", "'int8'");
    refusedText("@T.prim_func\ndef f(a: T.int8 b: T.int8):", 17, "',' or ')'", "'b'");
    refusedText("@T.prim_func\ndef f() -> int64:", 12, "'T'", "'int64'");
    refusedText("@T.prim_func\ndef f()", 8, "':'", "the end of the line");
    refusedText("@T.prim_func\ndef f():\npass", 1, "an indented line", "'pass'");
  }

  @Test
  void declarationsOfFunctionsHaveTheirParts() {
    refused("m = T.\"int64\"", 11, "the name of a function of T", "the string \"int64\"");
    refused("m = T.int64", 16, "'('", "the end of the line");
    refused("m = T.int64(3)", 17, "')'", "'3'");
    refused("m = T.int64(is_size_var=3)", 29, "True or False", "'3'");
    refused("G = T.match_buffer(\"h\")", 24, "a parameter that is a T.handle", "the string \"h\"");
    refused("T.func_attr(5)", 17, "'{'", "'5'");
    refused("T.func_attr({a: 5})", 18, "the name of an annotation in quotes", "'a'");
    refused("T.func_attr({\"a\", 5})", 21, "':'", "','");
    refused("T.func_attr({\"a\": T.int64(k)})", 31, "')'", "'k'");
    refused("T.func_attr({\"a\": 1}\npass", 5, "')'", "'pass'");
  }

  @Test
  void typesOfBuffersHaveTheirParts() {
    String arguments = "one of dtype, strides, elem_offset, scope";
    refused("G = T.Buffer((4,), 5)", 24, arguments, "'5'");
    refused("G = T.Buffer((4,), dtype \"int8\")", 30, "'='", "the string \"int8\"");
    refused("G = T.Buffer((4,), dtype=5)", 30, "a dtype in quotes, such as \"float32\"", "'5'");
    refused("G = T.Buffer((4,), strides=5)", 32, "the strides in brackets", "'5'");
    refused("G = T.Buffer((4,), scope=5)", 30, "a memory in quotes, such as \"shared\"", "'5'");
    refused("G = T.Buffer((\"n k\",), \"int8\")", 19, "the end of the expression in quotes", "'k'");
    refused("G = T.Buffer((\"\",), \"int8\")", 19, "an expression", "the end of the line");
  }

  @Test
  void declarationsOfBlocksHaveTheirParts() {
    refused("with T.block(b):", 18, "the name of the block in quotes", "'b'");
    refused("with T.block(\"b\" k):", 22, "')'", "'k'");
    refusedInBlock("x, 5 = T.axis.remap(\"S\", [k])", 12, "the name of an axis or buffer", "'5'");
    refusedInBlock("x, y T.axis.remap(\"SS\", [k, k])", 14, "'='", "'T'");
    refusedInBlock("x = T.axis(4, k)", 19, "'.'", "'('");
    refusedInBlock("x = T.axis.(4, k)", 20, "a kind of axis", "'('");
    refusedInBlock("x = T.axis.spatial(4)", 29, "','", "')'");
    refusedInBlock("x = T.axis.remap(S, [k])", 26, "the kinds of the axes, such as \"SR\"", "'S'");
    refusedInBlock("x = T.axis.remap(\"S\" [k])", 30, "','", "'['");
    refusedInBlock("x = T.axis.remap(\"S\", k)", 31, "'['", "'k'");
    refusedInBlock("T.reads(5)", 17, "a buffer", "'5'");
    refusedInBlock("T.writes(H)", 19, "'['", "')'");
    refusedInBlock("with T.init()", 22, "':'", "the end of the line");
  }

  @Test
  void loopsHaveTheirParts() {
    String axis = "a thread axis in quotes, such as \"threadIdx.x\"";
    refused("for 5 in range(4):", 9, "the name of a loop counter", "'5'");
    refused("for i range(4):", 11, "'in'", "'range'");
    refused("for i in H:", 14, "'T'", "'H'");
    refused("for i in range:", 19, "'('", "':'");
    refused("for i in T.thread_binding(4, thread=5):", 41, axis, "'5'");
    refused("for i in T.serial(4, annotations=5):", 38, "'{'", "'5'");
    refused("for i in range(4):\npass", 5, "an indented line", "'pass'");
  }

  @Test
  void statementsHaveTheirParts() {
    refused("with T.LetStmt(k):", 21, "','", "')'");
    refused("with T.LetStmt(k, x):", 23, "'var'", "'x'");
    refused("with T.LetStmt(k, var x):", 27, "'='", "'x'");
    refused("with T.LetStmt(k, var=5):", 27, "the name of a variable", "'5'");
    refused("with T.Seq(k):", 16, "')'", "'k'");
    refused("with H:", 10, "'T'", "'H'");
    refused("H[0] + 1", 10, "'='", "'+'");
    refused("if k == 1 pass", 15, "':'", "'pass'");
    refused("if k == 1:\n    pass\nelse if k == 2:", 10, "':'", "'if'");
    refused("T.ret(k, k)", 12, "')'", "','");
    refused("T.evaluate(T.ret(k)\npass", 5, "')'", "'pass'");
    refused("T.evaluate(0\npass", 5, "')'", "'pass'");
    refused("T.call_packed(\"f\" k)", 23, "',' or ')'", "'k'");
    refused("return k k", 14, "the end of the line", "'k'");
  }

  @Test
  void expressionsHaveTheirParts() {
    refused("return T.exp", 17, "'('", "the end of the line");
    refused("return T.int32(k 1)", 22, "')'", "'1'");
    refused("return T.Cast(float32, k)", 19, "a dtype in quotes, such as \"float32\"", "'float32'");
    refused("return T.Cast(\"int8\" k)", 26, "','", "'k'");
    refused("return A[k k]", 16, "',' or ']'", "'k'");
    refused("return k +", 15, "an expression", "the end of the line");
  }
}
