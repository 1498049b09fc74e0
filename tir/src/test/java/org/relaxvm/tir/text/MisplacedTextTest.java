package org.relaxvm.tir.text;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.stmt.Seq;

/** Whole messages of what would be right elsewhere, once, or less deep. */
class MisplacedTextTest {
  private static final String HEAD =
      """
      @T.prim_func
      def f(A: T.Buffer((n, 4), "float32"), k: T.int64, h: T.handle):
          H = T.match_buffer(h, (4,), "int64")
      """;
  private static final String BLOCK = "with T.block(\"b\"):\n    ";

  /** Refuses a kernel with these lines after its head, because of what is in the last of them. */
  private static void refused(String lines, int column, String problem) {
    String text = HEAD + lines.indent(4);
    String[] all = text.split("\n");
    String last = all[all.length - 1];
    refused(text, all.length, column, problem, last, column);
  }

  private static void refused(
      String text, int line, int column, String problem, String shown, int caret) {
    String front = "  " + line + " | ";
    assertThatThrownBy(() -> TirText.parse(text, "k.tir"))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(
            "k.tir:%d:%d: %s\n%s%s\n%s^"
                .formatted(
                    line, column, problem, front, shown, " ".repeat(front.length() + caret - 1)));
  }

  @Test
  void declarationsOfFunctionsStandOnceInFront() {
    refused("T.func_attr({})\nT.func_attr({})", 7, "T.func_attr is there twice");
    refused("pass\nT.func_attr({})", 7, "T.func_attr stands once, in front of the body");
    refused("G = T.match_buffer(h, (4,), \"int64\")", 24, "the parameter 'h' has a buffer already");
    refused(
        "G = T.Buffer((4,), \"int64\", scope=\"local\", scope=\"local\")",
        48,
        "the argument 'scope' is there twice");
    refused(
        "x = T.foo()",
        11,
        "unknown declaration 'foo'\n  what there is: T.match_buffer, T.alloc_buffer, T.Buffer, and"
            + " dtypes such as T.int64");
    refused(
        "H[0] = 1\nG = T.Buffer((4,), \"int64\")",
        5,
        "expected a statement, but got a declaration; declarations stand in front of the statements"
            + " of a function or block");
    String extent =
        """
        @T.prim_func
        def f(A: T.Buffer((n,), "int64"), h: T.handle):
            n = T.match_buffer(h, (4,), "int8")
        """;
    refused(
        extent,
        3,
        5,
        "'n' is an extent or parameter already, and cannot be a buffer",
        "    n = T.match_buffer(h, (4,), \"int8\")",
        5);
  }

  @Test
  void declarationsOfBlocksStandOnceInFront() {
    refused(
        BLOCK + "H[0] = 1\n    T.reads(H[0])",
        11,
        "T.reads stands once, in front of the statements of a block");
    refused(
        BLOCK + "H[0] = 1\n    with T.init():",
        16,
        "T.init stands once, in front of the statements of a block");
    refused(
        BLOCK + "x = T.foo()",
        15,
        "unknown declaration 'foo'\n  what there is: T.axis, T.alloc_buffer");
  }

  @Test
  void axesHaveKindsAndLoops() {
    refused(BLOCK + "x, y = T.axis.spatial(4, k)", 12, "only T.axis.remap has several axes");
    refused(
        BLOCK + "x, y = T.axis.remap(\"S\", [k])",
        29,
        "T.axis.remap has 2 axes, but 1 kind and 1 loop");
    refused(
        "for i in range(4):\n    " + BLOCK.replace("\n", "\n    ") + "x = T.axis.remap(\"X\", [i])",
        30,
        "unknown kind of axis \"X\"\n  what there is: S, R, O");
  }

  @Test
  void namesMeanOneThing() {
    refused("return A[k, k[0]]", 17, "'k' is a variable, not a buffer");
    refused("return A[]", 14, "expected an expression, but got ']'");
    refused(
        HEAD + "    G = T.Buffer((4,), \"int8\")\n    for G in range(4):\n        pass\n",
        5,
        9,
        "'G' is declared above as a buffer",
        "    for G in range(4):",
        9);
    refused(BLOCK + "T.reads(k[0])", 17, "'k' is a variable, not a buffer");
    refused("return float32(1)", 12, "expected an expression, but got 'float32'; is it T.float32?");
    refused("T.evaluate(H)", 16, "expected T.call_packed or T.ret, but got 'H'");
    refused("H + 1", 7, "expected '[' and the indices of a store, but got '+'");
    refused("return T.uint64(-1)", 21, "the constant -1 does not fit uint64");
    refused(
        "for i in T.thread_binding(4, thread=\"threadIdx.x\", thread=\"threadIdx.x\"):",
        56,
        "expected thread= or annotations=, each once, but got 'thread'");
  }

  @Test
  void argumentsOfKernelsAndBuffers() {
    refused(
        "@T.prim_func(foo=True)\n",
        1,
        14,
        "unknown argument 'foo'\n  what there is: private, name, s_tir, check_well_formed",
        "@T.prim_func(foo=True)",
        14);
    refused("G = T.Buffer(4, \"int8\")", 18, "expected the extents in brackets, but got '4'");
    refused("G = T.Buffer((4 5), \"int8\")", 21, "expected ',' or ')', but got '5'");
    refused(
        "G = T.Buffer((\"n ) + 'x\",), \"int8\")",
        19,
        "the expression in the string \"n ) + 'x\" cannot be read: the string has no closing ' in"
            + " this line");
  }

  @Test
  void nestsAndTextsHaveLimits() {
    String expressions = "expressions are nested more than 128 deep";
    refused(
        HEAD + "    return " + "(".repeat(130), 4, 140, expressions, "..." + "(".repeat(52), 54);
    refused(
        HEAD + "    return k" + " + k".repeat(130),
        4,
        522,
        expressions,
        "...k" + " + k".repeat(15),
        54);
    StringBuilder loops = new StringBuilder(HEAD);
    for (int i = 1; i < 66; i++) {
      loops.append(" ".repeat(i + 3)).append("for i in range(2):\n");
    }
    refused(
        loops.toString(),
        68,
        69,
        "statements are nested more than 64 deep",
        " ".repeat(68) + "for i in range(2):",
        69);
    refused(
        HEAD + "    return " + "9".repeat(101),
        4,
        12,
        "a number has at most 100 characters, not 101",
        "    return " + "9".repeat(101),
        12);
    refused(
        "(".repeat(Limits.TOKENS + 1),
        1,
        Limits.TOKENS + 1,
        "a text has at most 2000000 words and symbols",
        "..." + "(".repeat(51),
        54);
    refused(
        "#".repeat(Limits.CHARACTERS + 1),
        1,
        1,
        "a text has at most 67108864 characters",
        "#".repeat(150) + "...",
        1);
  }

  @Test
  void onlyDTypesWithANameAreReturned() {
    PrimFunc function =
        new PrimFunc(
            "f", List.of(), new DType(TypeCode.HANDLE, 32, 1), new Seq(List.of()), Map.of());
    assertThatThrownBy(() -> TirText.print(List.of(function)))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the text of a kernel cannot say that it returns the dtype handle of 32 bits and 1"
                + " lane");
  }
}
