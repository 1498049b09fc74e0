package org.relaxvm.tir.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.ThrowingSupplier;
import org.relaxvm.api.error.MalformedFileException;

/** Whole messages of mistakes. */
class ParseErrorTest {
  private static final String HEAD =
      "@T.prim_func\ndef f(A: T.Buffer((n, 4), \"float32\"), k: T.int32):\n";

  private static String message(String text) {
    try {
      TirText.parse(text, "k.tir");
    } catch (MalformedFileException e) {
      return e.getMessage();
    }
    return "no error";
  }

  private static String inBody(String line) {
    return message(HEAD + "    " + line + "\n");
  }

  /** Mistakes in the third line, and what is said of each. */
  private static Map<String, String> lines() {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put(
        "return x",
        "k.tir:3:12: unknown name 'x'\n"
            + "  what there is: A, k, n\n"
            + "  3 |     return x\n"
            + "                 ^");
    lines.put(
        "return k[1]",
        "k.tir:3:12: 'k' is a variable, not a buffer\n  3 |     return k[1]\n                 ^");
    lines.put(
        "return A",
        "k.tir:3:12: the buffer 'A' needs indices here\n  3 |     return A\n                 ^");
    lines.put(
        "return A[1]",
        "k.tir:3:12: the buffer A has 2 axes, but got 1 index\n"
            + "  3 |     return A[1]\n"
            + "                 ^");
    lines.put(
        "return k + A[0, 0]",
        "k.tir:3:14: + needs operands of one dtype, but got int32 and float32\n"
            + "  3 |     return k + A[0, 0]\n"
            + "                   ^");
    lines.put(
        "return k < 2 < 3",
        "k.tir:3:18: comparisons in a row need parentheses to say which is first\n"
            + "  3 |     return k < 2 < 3\n"
            + "                       ^");
    lines.put(
        "return k == not True",
        "k.tir:3:17: 'not' needs parentheses around it here\n"
            + "  3 |     return k == not True\n"
            + "                      ^");
    lines.put(
        "return T.foo(k)",
        "k.tir:3:14: unknown function 'T.foo'\n"
            + "  what there is: Cast, Select, abs, acos, acosh, asin, asinh, atan, atan2, atanh,"
            + " bitwise_and, bitwise_not, bitwise_or, bitwise_xor, ceil, cos, cosh, erf, exp,"
            + " floor, floordiv, floormod, if_then_else, isfinite, isinf, isnan, log, max, min,"
            + " nearbyint, pow, rsqrt, shift_left, shift_right, sigmoid, sin, sinh, sqrt, tan,"
            + " tanh, trunc, truncdiv, truncmod, and dtypes such as float32\n"
            + "  3 |     return T.foo(k)\n"
            + "                   ^");
    lines.put(
        "return T.exp(k)",
        "k.tir:3:14: exp cannot work on arguments of dtype int32\n"
            + "  3 |     return T.exp(k)\n"
            + "                   ^");
    lines.put(
        "return T.min(k)",
        "k.tir:3:14: min takes 2 arguments, but got 1\n"
            + "  3 |     return T.min(k)\n"
            + "                   ^");
    lines.put(
        "return T.exp(A[0, 0], A[0, 0])",
        "k.tir:3:14: exp takes 1 argument, but got 2\n"
            + "  3 |     return T.exp(A[0, 0], A[0, 0])\n"
            + "                   ^");
    lines.put(
        "return T.Cast(\"int7\", k)",
        "k.tir:3:19: unknown dtype \"int7\"\n"
            + "  what there is: bool, int8 to int64, uint8 to uint64, float8_e4m3fn, float8_e5m2,"
            + " float16, bfloat16, float32, float64\n"
            + "  3 |     return T.Cast(\"int7\", k)\n"
            + "                        ^");
    lines.put(
        "return T.int8(300)",
        "k.tir:3:19: the constant 300 does not fit int8\n"
            + "  3 |     return T.int8(300)\n"
            + "                        ^");
    lines.put(
        "return 9223372036854775808",
        "k.tir:3:12: the constant 9223372036854775808 does not fit int64\n"
            + "  3 |     return 9223372036854775808\n"
            + "                 ^");
    lines.put(
        "return T.float32(\"nano\")",
        "k.tir:3:22: expected \"nan\", \"inf\" or \"-inf\", but got the string \"nano\"\n"
            + "  3 |     return T.float32(\"nano\")\n"
            + "                           ^");
    lines.put("return (k", "k.tir:4:1: expected ')', but got the end of the line\n  4 | \n      ^");
    lines.put(
        "return -k",
        "k.tir:3:12: expected an expression, but got '-'\n  3 |     return -k\n                 ^");
    lines.put(
        "return 1.5x",
        "k.tir:3:15: expected the end of a number, but got 'x'\n"
            + "  3 |     return 1.5x\n"
            + "                    ^");
    lines.put(
        "return k $ 1",
        "k.tir:3:14: expected a word, number or operator, but got '$'\n"
            + "  3 |     return k $ 1\n"
            + "                   ^");
    lines.put(
        "A[0, 0] = k",
        "k.tir:3:5: the buffer A holds float32, but the value to store is int32\n"
            + "  3 |     A[0, 0] = k\n"
            + "          ^");
    lines.put(
        "A[k, 0] = 1",
        "k.tir:3:5: an index of the buffer A must be int64, but is int32\n"
            + "  3 |     A[k, 0] = 1\n"
            + "          ^");
    lines.put(
        "B[0] = 1",
        "k.tir:3:5: unknown name 'B'\n  what there is: A, k, n\n  3 |     B[0] = 1\n          ^");
    lines.put("k = 3", "k.tir:3:9: expected 'T', but got '3'\n  3 |     k = 3\n              ^");
    lines.put(
        "T.sync()",
        "k.tir:3:7: unknown statement 'sync'\n"
            + "  what there is: T.call_packed, T.evaluate, T.ret\n"
            + "  3 |     T.sync()\n"
            + "            ^");
    lines.put(
        "T.call_packed(f)",
        "k.tir:3:19: expected the name of a function in quotes, but got 'f'\n"
            + "  3 |     T.call_packed(f)\n"
            + "                        ^");
    lines.put(
        "for i in T.loop(4):",
        "k.tir:3:16: unknown loop 'loop'\n"
            + "  what there is: range, T.grid, T.serial, T.parallel, T.vectorized, T.unroll,"
            + " T.thread_binding\n"
            + "  3 |     for i in T.loop(4):\n"
            + "                     ^");
    lines.put(
        "for i, j in T.grid(4):",
        "k.tir:3:19: T.grid has 1 extent for 2 counters\n"
            + "  3 |     for i, j in T.grid(4):\n"
            + "                        ^");
    lines.put(
        "for i, j in range(4):",
        "k.tir:3:12: only T.grid has several counters\n"
            + "  3 |     for i, j in range(4):\n"
            + "                 ^");
    lines.put(
        "for i in range(k, n):",
        "k.tir:3:14: - needs operands of one dtype, but got int64 and int32\n"
            + "  3 |     for i in range(k, n):\n"
            + "                   ^");
    lines.put(
        "for i in T.parallel(k, thread=\"threadIdx.x\"):\n        pass",
        "k.tir:3:9: the loop over i of kind parallel cannot have a thread axis\n"
            + "  3 |     for i in T.parallel(k, thread=\"threadIdx.x\"):\n"
            + "              ^");
    lines.put(
        "for i in T.thread_binding(4, thread=\"threadIdx.q\"):",
        "k.tir:3:41: unknown thread axis \"threadIdx.q\"\n"
            + "  what there is: blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,"
            + " threadIdx.z, vthread\n"
            + "  3 |     for i in T.thread_binding(4, thread=\"threadIdx.q\"):\n"
            + "                                              ^");
    lines.put(
        "for T in range(4):",
        "k.tir:3:9: 'T' has another meaning and cannot name a loop counter\n"
            + "  3 |     for T in range(4):\n"
            + "              ^");
    lines.put(
        "for i in range(4)",
        "k.tir:3:22: expected ':', but got the end of the line\n"
            + "  3 |     for i in range(4)\n"
            + "                           ^");
    lines.put(
        "for i in range(4): pass",
        "k.tir:3:24: expected the end of the line, but got 'pass'\n"
            + "  3 |     for i in range(4): pass\n"
            + "                             ^");
    lines.put(
        "while k < 3:",
        "k.tir:3:5: expected a statement, but got 'while'\n  3 |     while k < 3:\n          ^");
    lines.put(
        "with T.scope():",
        "k.tir:3:12: unknown scope 'scope'\n"
            + "  what there is: T.block, T.sblock, T.LetStmt, T.Seq\n"
            + "  3 |     with T.scope():\n"
            + "                 ^");
    lines.put(
        "if k:\n        pass",
        "k.tir:3:5: the condition of if must be bool, but is int32\n  3 |     if k:\n          ^");
    lines.put(
        "with T.block(\"b\"):\n        v = T.axis.scan(4, k)",
        "k.tir:4:20: unknown kind of axis 'scan'\n"
            + "  what there is: spatial, reduce, opaque, remap\n"
            + "  4 |         v = T.axis.scan(4, k)\n"
            + "                         ^");
    lines.put(
        "with T.block(\"b\"):\n        v, w = T.axis.remap(\"SS\", [k, k])",
        "k.tir:4:36: T.axis.remap takes the counters of loops only\n"
            + "  4 |         v, w = T.axis.remap(\"SS\", [k, k])\n"
            + "                                         ^");
    lines.put(
        "with T.block(\"b\"):\n        v = T.axis.remap(\"S\", [k])",
        "k.tir:4:32: T.axis.remap takes the counters of loops only\n"
            + "  4 |         v = T.axis.remap(\"S\", [k])\n"
            + "                                     ^");
    lines.put(
        "with T.block(\"b\"):\n        T.where(k)\n        pass",
        "k.tir:3:18: the predicate of the block b must be bool, but is int32\n"
            + "  3 |     with T.block(\"b\"):\n"
            + "                       ^");
    lines.put(
        "with T.block(\"b\"):\n        T.reads()\n        T.reads()",
        "k.tir:5:11: T.reads is there twice in this block\n"
            + "  5 |         T.reads()\n"
            + "                ^");
    lines.put(
        "B = T.alloc_buffer((k,), \"float32\")\n    pass",
        "k.tir:3:5: an extent of the buffer B must be int64, but is int32\n"
            + "  3 |     B = T.alloc_buffer((k,), \"float32\")\n"
            + "          ^");
    lines.put(
        "B = T.alloc_buffer((4,), \"float32\", scope=\"texture\")",
        "k.tir:3:47: unknown memory \"texture\"\n"
            + "  what there is: global, shared, local\n"
            + "  3 |     B = T.alloc_buffer((4,), \"float32\", scope=\"texture\")\n"
            + "                                                    ^");
    lines.put(
        "B = T.alloc_buffer((4,), \"float32\", align=4)",
        "k.tir:3:41: unknown argument 'align'\n"
            + "  what there is: dtype, strides, elem_offset, scope\n"
            + "  3 |     B = T.alloc_buffer((4,), \"float32\", align=4)\n"
            + "                                              ^");
    lines.put(
        "B = T.match_buffer(k, (4,), \"float32\")",
        "k.tir:3:24: unknown T.handle 'k'\n"
            + "  what there is: nothing\n"
            + "  3 |     B = T.match_buffer(k, (4,), \"float32\")\n"
            + "                             ^");
    lines.put(
        "m = T.int64()\n    m = T.int64()\n    pass",
        "k.tir:4:5: 'm' is declared twice\n  4 |     m = T.int64()\n          ^");
    lines.put(
        "T.func_attr({\"a\": 1, \"a\": 2})",
        "k.tir:3:26: the annotation \"a\" is there twice\n"
            + "  3 |     T.func_attr({\"a\": 1, \"a\": 2})\n"
            + "                               ^");
    lines.put(
        "T.func_attr({\"a\": [1]})",
        "k.tir:3:23: expected a string, number or boolean, but got '['\n"
            + "  3 |     T.func_attr({\"a\": [1]})\n"
            + "                            ^");
    lines.put(
        "T.call_packed(\"a\\qb\")",
        "k.tir:3:21: unknown escape in a string\n"
            + "  what there is: \\n"
            + " \\r"
            + " \\t \\0 \\\\ \\\" \\' \\xNN \\uNNNN\n"
            + "  3 |     T.call_packed(\"a\\qb\")\n"
            + "                          ^");
    lines.put(
        "T.call_packed(\"a",
        "k.tir:3:19: the string has no closing \" in this line\n"
            + "  3 |     T.call_packed(\"a\n"
            + "                        ^");
    lines.put(
        "pass\n      pass",
        "k.tir:4:7: expected a statement, but got a deeper indentation\n"
            + "  4 |       pass\n"
            + "            ^");
    lines.put(
        "pass\n   pass",
        "k.tir:4:4: expected an indentation of a line above (0 spaces), but got 3\n"
            + "  4 |    pass\n"
            + "         ^");
    lines.put(
        "pass\n	pass",
        "k.tir:4:1: expected spaces in front of the line, but got a tab\n  4 |  pass\n      ^");
    lines.put(
        "return",
        "k.tir:3:11: expected an expression, but got the end of the line\n"
            + "  3 |     return\n"
            + "                ^");
    return lines;
  }

  @TestFactory
  Stream<DynamicTest> mistakesInALineAreShown() {
    return lines().entrySet().stream()
        .map(
            mistake ->
                DynamicTest.dynamicTest(
                    mistake.getKey(),
                    () -> assertThat(inBody(mistake.getKey())).isEqualTo(mistake.getValue())));
  }

  @Test
  void newerVersionIsRefused() {
    assertThat(message("# relaxvm tir 2\n@T.prim_func\n"))
        .isEqualTo(
            "k.tir:1:15: this release reads kernels of version 1, but the version of this text is"
                + " \"2\"; a newer release may read it\n"
                + "  1 | # relaxvm tir 2\n"
                + "                    ^");
  }

  @Test
  void versionMustBeANumber() {
    assertThat(message("# relaxvm tir one\n"))
        .isEqualTo(
            "k.tir:1:15: this release reads kernels of version 1, but the version of this text is"
                + " \"one\"; a newer release may read it\n"
                + "  1 | # relaxvm tir one\n"
                + "                    ^");
  }

  @Test
  void otherTextIsRefused() {
    assertThat(message("kernel\n"))
        .isEqualTo("k.tir:1:1: expected '@', but got 'kernel'\n  1 | kernel\n      ^");
  }

  @Test
  void decoratorMustBeKnown() {
    assertThat(message("@R.function\n"))
        .isEqualTo("k.tir:1:2: expected 'T', but got 'R'\n  1 | @R.function\n       ^");
  }

  @Test
  void decoratorMustBePrimFunc() {
    assertThat(message("@T.kernel\n"))
        .isEqualTo(
            "k.tir:1:4: unknown decorator 'kernel'\n"
                + "  what there is: T.prim_func\n"
                + "  1 | @T.kernel\n"
                + "         ^");
  }

  @Test
  void kernelsDiffer() {
    assertThat(message("@T.prim_func\ndef f():\n    pass\n@T.prim_func\ndef f():\n    pass\n"))
        .isEqualTo("k.tir:5:5: the kernel 'f' is there twice\n  5 | def f():\n          ^");
  }

  @Test
  void parametersDiffer() {
    assertThat(message("@T.prim_func\ndef f(a: T.int8, a: T.int8):\n    pass\n"))
        .isEqualTo(
            "k.tir:2:18: the parameter 'a' is there twice\n"
                + "  2 | def f(a: T.int8, a: T.int8):\n"
                + "                       ^");
  }

  @Test
  void parameterTypesMustBeKnown() {
    assertThat(message("@T.prim_func\ndef f(a: T.Tensor):\n    pass\n"))
        .isEqualTo(
            "k.tir:2:12: unknown type of a parameter 'Tensor'\n"
                + "  what there is: T.Buffer, T.handle, and dtypes such as T.int64\n"
                + "  2 | def f(a: T.Tensor):\n"
                + "                 ^");
  }

  @Test
  void handlesNeedBuffers() {
    assertThat(message("@T.prim_func\ndef f(a: T.handle, n: T.int64):\n    pass\n"))
        .isEqualTo(
            "k.tir:2:7: the parameter 'a' is a T.handle, but no T.match_buffer says which buffer it"
                + " is\n"
                + "  2 | def f(a: T.handle, n: T.int64):\n"
                + "            ^");
  }

  @Test
  void extentsAreInt64() {
    assertThat(message("@T.prim_func\ndef f(a: T.Buffer((n,), \"int8\"), n: T.int32):\n    pass\n"))
        .isEqualTo(
            "k.tir:2:7: an extent of the buffer a must be int64, but is int32\n"
                + "  2 | def f(a: T.Buffer((n,), \"int8\"), n: T.int32):\n"
                + "            ^");
  }

  @Test
  void namesInExtentsMustBeKnown() {
    assertThat(message("@T.prim_func\ndef f(a: T.Buffer((n + 1,), \"int8\")):\n    pass\n"))
        .isEqualTo(
            "k.tir:2:20: unknown name 'n'\n"
                + "  what there is: nothing\n"
                + "  2 | def f(a: T.Buffer((n + 1,), \"int8\")):\n"
                + "                         ^");
  }

  @Test
  void quotedExtentsAreShownAtTheirPosition() {
    assertThat(message("@T.prim_func\ndef f(a: T.Buffer((\"n +\",), \"int8\")):\n    pass\n"))
        .isEqualTo(
            "k.tir:2:20: unknown name 'n'\n"
                + "  what there is: nothing\n"
                + "  2 | def f(a: T.Buffer((\"n +\",), \"int8\")):\n"
                + "                         ^");
  }

  @Test
  void bodiesAreNotEmpty() {
    assertThat(message("@T.prim_func\ndef f():\n"))
        .isEqualTo(
            "k.tir:3:1: expected an indented line, but got the end of the text\n  3 | \n      ^");
  }

  @Test
  void bodiesHaveMoreThanAnnotations() {
    assertThat(message("@T.prim_func\ndef f():\n    T.func_attr({})\n"))
        .isEqualTo(
            "k.tir:4:1: expected a statement, but got the end of the indented lines\n"
                + "  4 | \n"
                + "      ^");
  }

  @Test
  void returnTypesMustBeKnown() {
    assertThat(message("@T.prim_func\ndef f() -> T.number:\n    pass\n"))
        .isEqualTo(
            "k.tir:2:14: unknown type 'number'\n"
                + "  what there is: dtypes such as T.int64\n"
                + "  2 | def f() -> T.number:\n"
                + "                   ^");
  }

  @Test
  void declaredTypesAgree() {
    assertThat(
            message(
                "@T.prim_func\n"
                    + "def f(A: T.Buffer((4,), \"int8\")):\n"
                    + "    A = T.Buffer((5,), \"int8\")\n"
                    + "    pass\n"))
        .isEqualTo(
            "k.tir:2:7: the buffer 'A' is declared above with another type\n"
                + "  2 | def f(A: T.Buffer((4,), \"int8\")):\n"
                + "            ^");
  }

  @Test
  void declaredDtypesAgree() {
    assertThat(message("@T.prim_func\ndef f(k: T.int8):\n    k = T.int64()\n    pass\n"))
        .isEqualTo(
            "k.tir:3:5: the parameter 'k' is int8, not int64\n"
                + "  3 |     k = T.int64()\n"
                + "          ^");
  }

  @Test
  void endlessTextsAreRefused() {
    assertThat(message(HEAD + "    return " + "(".repeat(100_000)))
        .contains("expressions are nested more than 128 deep");
    assertThat(message(HEAD + "    return " + "not ".repeat(100_000)))
        .contains("expressions are nested more than 128 deep");
    assertThat(message(HEAD + "    return k" + " + k".repeat(100_000)))
        .contains("expressions are nested more than 128 deep");
    assertThat(message(HEAD + "    return " + "A[".repeat(100_000)))
        .contains("expressions are nested more than 128 deep");
    assertThat(message(HEAD + "    return " + "9".repeat(1_000_000)))
        .contains("a number has at most 100 characters, not 1000000");
    assertThat(message("(".repeat(2_000_001))).contains("a text has at most 2000000 words");
    assertThat(message("#".repeat(Limits.CHARACTERS + 1)))
        .contains("a text has at most 67108864 characters");
    assertThat(message(HEAD + "    T.call_packed(\"" + "x".repeat(1_000_000)))
        .contains("the string has no closing \" in this line")
        .hasSizeLessThan(1000);
    StringBuilder loops = new StringBuilder(HEAD);
    for (int i = 1; i < 1000; i++) {
      loops.append(" ".repeat(i)).append("for i in range(2):\n");
    }
    assertThat(message(loops.toString())).contains("statements are nested more than 64 deep");
    String elifs =
        "    if k == 1:\n        pass\n" + "    elif k == 2:\n        pass\n".repeat(1000);
    assertThat(message(HEAD + elifs)).contains("statements are nested more than 64 deep");
    String names = "i, ".repeat(1000) + "i in T.grid(" + "2, ".repeat(1001) + "):\n        pass\n";
    assertThat(message(HEAD + "    for " + names)).contains("statements are nested more than 64");
    StringBuilder buffers = new StringBuilder(HEAD + "    B0 = T.Buffer((2,), \"int64\")\n");
    for (int i = 1; i < 1000; i++) {
      buffers.append("    B" + i + " = T.Buffer((B" + (i - 1) + "[0],), \"int64\")\n");
    }
    assertThat(message(buffers + "    pass\n"))
        .contains("expressions are nested more than 128 deep");
  }

  @Test
  void deepestTextFitsASmallStack() throws InterruptedException {
    StringBuilder text = new StringBuilder(HEAD);
    for (int i = 1; i < 64; i++) {
      text.append(" ".repeat(i)).append("for i in range(2):\n");
    }
    text.append(" ".repeat(64)).append("return ").append("1 + (".repeat(126)).append("n");
    text.append(")".repeat(126)).append('\n');
    ThrowingSupplier<Integer> read = () -> TirText.parse(text.toString(), "deep").size();
    int[] kernels = new int[1];
    Thread thread =
        new Thread(
            null,
            () -> {
              try {
                kernels[0] = read.get();
              } catch (Throwable e) {
                throw new AssertionError(e);
              }
            },
            "small stack",
            768 << 10);
    thread.start();
    thread.join();
    assertThat(kernels[0]).isEqualTo(1);
  }
}
