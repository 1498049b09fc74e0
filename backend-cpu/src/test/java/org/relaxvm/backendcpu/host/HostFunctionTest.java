package org.relaxvm.backendcpu.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.tir.verify.Verifier;

/** Generated code of host functions does what the evaluator says. */
class HostFunctionTest {
  private static final int CASES = 300;
  private static final int REGISTERS = 6;

  private static PrimFunc parse(String body) {
    String text =
        "@T.prim_func\n"
            + "def __vmtir__main(ctx_ptr: T.handle, r: T.handle, c: T.handle, f: T.handle):\n"
            + "    "
            + body.strip().replace("\n", "\n    ")
            + "\n";
    PrimFunc function = TirText.parse(text, "host").getFirst();
    Verifier.verify(function);
    return function;
  }

  private static AnyList registers() {
    AnyList registers = AnyList.registers(REGISTERS, 1);
    for (int i = 0; i < REGISTERS; i++) {
      registers.set(i, (long) i);
    }
    return registers;
  }

  private static AnyList run(FakeProgram program, PrimFunc function) {
    AnyList registers = registers();
    new HostFunction(function)
        .call(CallArgs.of(program, program.arguments(registers)), new CallResult());
    return registers;
  }

  /** Runs generated code and the evaluator; gives the calls. */
  private static List<String> agreed(PrimFunc function) {
    FakeProgram generated = new FakeProgram();
    FakeProgram evaluated = new FakeProgram();
    AnyList expected = registers();
    new Evaluator(evaluated::lookup, false)
        .run(function, Arrays.asList(evaluated.arguments(expected)));
    AnyList actual = run(generated, function);
    String text = TirText.print(function);
    assertThat(generated.log).as(text).isEqualTo(evaluated.log);
    assertThat(actual.toString()).as(text).isEqualTo(expected.toString());
    return generated.log;
  }

  @Test
  void operandsAreRegistersConstantsFunctionsNumbersAndTheContext() {
    assertThat(
            agreed(
                parse(
                    """
                    T.anylist_setitem_call_packed(r, 1, "copy", T.anylist_getitem(c, 2))
                    T.call_packed("none", ctx_ptr, None, 7, T.float64(0.5), True, "text")
                    T.anylist_setitem_call_cpacked(r, 2, "add", T.anylist_getitem(r, 1), T.anylist_getitem(r, 5))
                    T.call_packed("none", T.anylist_getitem(f, 0), T.anylist_getitem(r, 2))
                    """)))
        .containsExactly(
            "copy(3)", "none(context, null, 7, 0.5, true, text)", "add(3, 5)", "none(add, 8)");
  }

  @Test
  void resultsBecomeNumbers() {
    assertThat(
            agreed(
                parse(
                    """
                    with T.LetStmt(T.call_packed("add", 2, 3), var=n, dtype="int64"):
                        with T.LetStmt(T.call_packed("half", n), var=x, dtype="float64"):
                            with T.LetStmt(T.call_packed("add", 1, 1), var=y, dtype="float64"):
                                with T.LetStmt(T.call_packed("copy", 5), var=b):
                                    T.call_packed("none", n, x, y, b)
                    """)))
        .endsWith("none(5, 2.5, 2.0, true)");
  }

  @Test
  void manyCallsAreSeveralMethods() {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < 40_000; i++) {
      body.append("T.anylist_setitem_call_packed(r, ")
          .append(i % REGISTERS)
          .append(", \"add\", T.anylist_getitem(r, ")
          .append((i * 7 + 1) % REGISTERS)
          .append("), ")
          .append(i % 5)
          .append(")\n");
    }
    assertThat(agreed(parse(body.toString()))).hasSize(40_000);
  }

  @Test
  void longBranchesAndLoopsAreSeveralMethods() {
    String calls =
        "T.anylist_setitem_call_packed(r, 0, \"add\", T.anylist_getitem(r, 0), 1)\n".repeat(1_000);
    String text =
        "for i in range(3):\n"
            + "    with T.LetStmt(T.call_packed(\"is_odd\", i), var=b):\n"
            + "        if b:\n"
            + calls.indent(12)
            + "            continue\n"
            + "        else:\n"
            + calls.indent(12)
            + calls.indent(4)
            + "    with T.LetStmt(T.call_packed(\"copy\", i), var=again):\n"
            + "        if again:\n"
            + "            break\n";
    assertThat(agreed(parse(text))).hasSize(5_005);
  }

  @Test
  void randomFunctionsDoWhatTheEvaluatorSays() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.printf("HostFunctionTest: %d cases, -Drelaxvm.seed=%d%n", CASES, seed);
    SplittableRandom random = new SplittableRandom(seed);
    int calls = 0;
    for (int i = 0; i < CASES; i++) {
      StringBuilder body = new StringBuilder();
      new RandomStatements(random, body).write(0, 4, false);
      calls += agreed(parse(body.toString())).size();
    }
    assertThat(calls).isGreaterThan(CASES);
  }

  /** Writes random statements. */
  private record RandomStatements(SplittableRandom random, StringBuilder out) {
    void write(int indent, int depth, boolean inLoop) {
      int count = 1 + random.nextInt(4);
      for (int i = 0; i < count; i++) {
        switch (depth == 0 ? 0 : random.nextInt(5)) {
          case 0, 1 -> line(indent, call());
          case 2 -> line(indent, "T.call_packed(\"none\", " + value() + ")");
          case 3 -> {
            line(indent, "with T.LetStmt(T.call_packed(\"is_odd\", " + value() + "), var=b):");
            line(indent + 1, "if b:");
            write(indent + 2, depth - 1, inLoop);
            if (random.nextBoolean()) {
              line(indent + 1, "else:");
              write(indent + 2, depth - 1, inLoop);
            }
          }
          default -> {
            line(
                indent, "for i in range(" + random.nextInt(2) + ", " + random.nextInt(1, 4) + "):");
            write(indent + 1, depth - 1, true);
          }
        }
      }
      if (inLoop && random.nextInt(4) == 0) {
        line(indent, random.nextBoolean() ? "break" : "continue");
      }
    }

    private String call() {
      return "T.anylist_setitem_call_packed(r, "
          + random.nextInt(REGISTERS)
          + ", \""
          + (random.nextBoolean() ? "add" : "mul")
          + "\", "
          + value()
          + ", "
          + value()
          + ")";
    }

    private String value() {
      return switch (random.nextInt(3)) {
        case 0 -> "T.anylist_getitem(c, " + random.nextInt(3) + ")";
        case 1 -> Integer.toString(random.nextInt(100));
        default -> "T.anylist_getitem(r, " + random.nextInt(REGISTERS) + ")";
      };
    }

    private void line(int indent, String text) {
      out.append("    ".repeat(indent)).append(text).append('\n');
    }
  }

  @Test
  void iterationsAreReported() {
    FakeProgram program = new FakeProgram();
    run(program, parse("for i in range(5):\n    T.call_packed(\"none\")\n"));
    assertThat(program.iterations).isEqualTo(5);
  }

  @Test
  void anErrorBetweenIterationsNamesNoCall() {
    FakeProgram program = new FakeProgram();
    program.mostIterations = 3;
    for (String body : List.of("T.call_packed(\"none\")", "continue")) {
      PrimFunc function = parse("for i in range(5):\n    " + body + "\n");
      assertThatThrownBy(() -> run(program, function))
          .hasMessage("too many\n  at function main, between two iterations");
    }
  }

  @Test
  void anErrorNamesTheFunctionAndTheCall() {
    FakeProgram program = new FakeProgram();
    PrimFunc function =
        parse(
            """
            T.call_packed("none")
            T.anylist_setitem_call_packed(r, 2, "fail", T.anylist_getitem(r, 0), ctx_ptr, T.anylist_getitem(c, 1), 7, "t", None, T.float64(0.5))
            """);
    assertThatThrownBy(() -> run(program, function))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "fail failed: java.lang.IllegalStateException: it broke\n"
                + "  at function main, call 1: call fail in: %0, %vm, c[1], i7, \"t\", %void, 0.5"
                + " dst: %2");
    assertThatThrownBy(
            () -> run(program, parse("with T.LetStmt(T.call_packed(\"none\"), var=b):\n    pass")))
        .hasMessageStartingWith("the result of the call must be bool, but is ")
        .hasMessageEndingWith("at function main, call 0: call none in:  dst: %void");
  }

  @Test
  void registersOwnTheirValues() {
    FakeProgram program = new FakeProgram();
    AnyList registers = registers();
    Tensor tensor = Tensor.of(new float[] {1}, Shape.of(1));
    registers.set(0, tensor);
    new HostFunction(
            parse("T.anylist_setitem_call_packed(r, 1, \"copy\", T.anylist_getitem(r, 0))"))
        .call(CallArgs.of(program, program.arguments(registers)), new CallResult());
    tensor.close();
    assertThat(tensor.isLive()).isTrue();
    registers.clear();
    assertThat(tensor.isLive()).isFalse();
  }

  @Test
  void anotherAbiIsRefused() {
    List<String> refused = new ArrayList<>();
    for (String text :
        List.of(
            "def h(a: T.handle, r: T.handle):\n    pass\n",
            "def h(a: T.handle, r: T.handle, c: T.handle, f: T.handle):\n"
                + "    T.call_packed(\"f\", T.anylist_getitem(a, 0))\n",
            "def h(a: T.handle, r: T.handle, c: T.handle, f: T.handle):\n"
                + "    T.call_packed(\"f\", c)\n",
            "def h(a: T.handle, r: T.handle, c: T.handle, f: T.handle):\n"
                + "    T.anylist_setitem_call_packed(c, 0, \"f\")\n")) {
      PrimFunc function = TirText.parse("@T.prim_func\n" + text, "host").getFirst();
      assertThatThrownBy(() -> new HostFunction(function))
          .isInstanceOf(InvalidProgramException.class)
          .satisfies(e -> refused.add(e.getMessage()));
    }
    assertThat(refused)
        .containsExactly(
            "the host function h does not keep the ABI of compiled functions: its parameters are"
                + " [a, r], but must be the context, the registers, the constants and the"
                + " functions",
            "the host function h does not keep the ABI of compiled functions: it takes a cell of"
                + " a, which is no list",
            "the host function h does not keep the ABI of compiled functions: it passes the list c"
                + " on",
            "the host function h does not keep the ABI of compiled functions: it writes the list"
                + " c, which is not that of the registers");
  }

  @Test
  void onlyAVirtualMachineCallsIt() {
    HostFunction function = new HostFunction(parse("pass"));
    assertThatThrownBy(() -> function.invoke(1, 2, 3, 4))
        .hasMessage(
            "__vmtir__main is the body of a compiled function, which only its virtual machine can"
                + " call");
    FakeProgram program = new FakeProgram();
    assertThatThrownBy(
            () ->
                function.call(
                    CallArgs.of(program, new Object[] {program, 1L, 2L, 3L}), new CallResult()))
        .hasMessageStartingWith("__vmtir__main: expected a list of values as argument #2, but got");
  }
}
