package org.relaxvm.vmcore.executable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.RelaxException;

class ExecBuilderTest {
  private final ExecBuilder ib = new ExecBuilder();

  private static void assertInternal(ThrowingCallable action, String message) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            InvalidProgramException.class,
            e ->
                assertThat(e.kind())
                    .isEqualTo(e.tvmMessage().isPresent() ? ErrorKind.INTERNAL : ErrorKind.VALUE))
        .hasMessage(message);
  }

  @Test
  void workedExampleIsBuiltByteForByte() {
    ib.declareFunction("main", FunctionKind.VM);
    ib.function(
        "main",
        List.of("x"),
        f -> {
          Shape shape = Shape.of(2, 3);
          f.ret(f.call("f", f.param("x"), -1, ib.convertConstant(shape)));
        });
    ib.convertConstant(Tensor.of(new float[] {1}, Shape.of(1)));
    assertThat(ExecutableWriter.write(ib.get())).isEqualTo(WorkedExample.bytes());
  }

  @Test
  void integersUpToTheLimitAreImmediatesAndOthersConstants() {
    long limit = (1L << 55) - 1;
    assertThat(ib.convertConstant(limit)).isEqualTo(Arg.immediate(limit));
    assertThat(ib.convertConstant(-limit)).isEqualTo(Arg.immediate(-limit));
    assertThat(ib.convertConstant(limit + 1)).isEqualTo(Arg.constant(0));
    assertThat(ib.convertConstant(-limit - 1)).isEqualTo(Arg.constant(1));
    assertThat(ib.convertConstant((byte) -7)).isEqualTo(Arg.immediate(-7));
    assertThat(ib.convertConstant(true)).isEqualTo(Arg.immediate(1));
    assertThat(Arg.immediate(limit).word()).isEqualTo(0x017F_FFFF_FFFF_FFFFL);
    assertThat(Arg.immediate(-limit).word()).isEqualTo(0x0180_0000_0000_0001L);
    assertThatThrownBy(() -> ib.imm(-limit - 1))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the value -36028797018963968 does not fit an argument word: expected -(2^55-1) to"
                + " 2^55-1");
  }

  @Test
  void equalConstantsShareAnEntry() {
    Tensor tensor = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(2, 2));
    Arg first = ib.convertConstant(tensor);
    assertThat(ib.convertConstant(Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(2, 2))))
        .isEqualTo(first);
    Tensor transposed = Tensor.of(new float[] {1, 3, 2, 4}, Shape.of(2, 2)).permute(1, 0);
    assertThat(ib.convertConstant(transposed)).isEqualTo(first);
    assertThat(ib.convertConstant(Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(4))))
        .isEqualTo(Arg.constant(1));
    assertThat(ib.convertConstant(tensor.reinterpret(Shape.of(2, 2), DType.INT32)))
        .isEqualTo(Arg.constant(2));
    assertThat(ib.convertConstant(new long[] {2, 2})).isEqualTo(Arg.constant(3));
    assertThat(ib.convertConstant(Shape.of(2, 2))).isEqualTo(Arg.constant(3));
    assertThat(ib.convertConstant("float32")).isEqualTo(Arg.constant(4));
    assertThat(ib.convertConstant(DType.FLOAT32)).isEqualTo(Arg.constant(5));
    assertThat(ib.convertConstant(0.5)).isEqualTo(Arg.constant(6));
    assertThat(ib.convertConstant(0.5f)).isEqualTo(Arg.constant(6));
    assertThat(ib.convertConstant(0.0)).isNotEqualTo(ib.convertConstant(-0.0));
    assertThat(ib.addConstant("float32")).isEqualTo(Arg.constant(9));
    assertThat(ib.convertConstant("float32")).isEqualTo(Arg.constant(4));
  }

  @Test
  void valueOfAnotherTypeIsNoConstant() {
    assertThatThrownBy(() -> ib.convertConstant(MemorySegment.NULL.toArray(ValueLayout.JAVA_BYTE)))
        .isInstanceOfSatisfying(
            RelaxException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.TYPE))
        .hasMessage(
            """
            a value of type ffi.Bytes cannot be a constant
              expected: a tensor, shape (or long[]), string, integer, boolean, float or data type\
            """);
  }

  @Test
  void registersAreNumberedInTheOrderOfTheirDefinition() {
    ib.emitFunction("main", 1);
    ib.emitCall("f", List.of(ib.r(0)), ib.r(1000));
    ib.emitCall("f", List.of(ib.r(1000), Arg.VM), ib.r(7));
    ib.emitCall("f", List.of(ib.r(7)), ib.r(0));
    ib.emitCall("f", List.of(ib.r(7), ib.r(1000)), ib.r(5));
    ib.emitCall("f", List.of(ib.r(5)), ib.r(7));
    ib.emitIf(ib.r(7), 2);
    ib.emitRet(ib.r(5));
    ib.emitRet(Arg.VOID);
    ib.endFunction("main");
    Executable executable = ib.get();
    assertThat(InstructionText.listing(executable).lines().map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            "@main:",
            " call f in: %0 dst: %1",
            " call f in: %1, %vm dst: %2",
            " call f in: %2 dst: %0",
            " call f in: %2, %1 dst: %3",
            " call f in: %3 dst: %2",
            " If %2, 2",
            " ret %3",
            " ret %void",
            "",
            "@f packed_func;",
            "");
    assertThat(executable.functions().getFirst().registerFileSize()).isEqualTo(4);
  }

  @Test
  void readBeforeTheFirstWriteIsRefusedWithTheListing() {
    ib.emitFunction("main", 0);
    ib.emitCall("f", List.of(ib.r(5)), ib.r(5));
    ib.emitRet(ib.r(5));
    ib.endFunction("main");
    assertInternal(
        ib::get,
        "register 5 of function 'main' is read but never written\n"
            + "  instructions:\n"
            + "@main:\n"
            + "  call  f                in: %5           dst: %0\n"
            + "  ret   %0\n"
            + "\n"
            + "@f packed_func;\n"
            + "\n");
  }

  @Test
  void indicesOutsideOfTheirTablesAreRefused() {
    ib.emitFunction("main", 1);
    ib.emitCall(Arg.function(3), List.of(), Arg.VOID);
    ib.emitRet(ib.r(0));
    ib.endFunction("main");
    assertInternal(
        ib::get,
        "there is no function with index 3: the executable has 1 function\n"
            + "  instructions:\n"
            + "@main:\n"
            + "  call  unknown_func_index(3) in:              dst: %void\n"
            + "  ret   %0\n"
            + "\n");
    ExecBuilder other = new ExecBuilder();
    other.function("main", List.of(), f -> f.ret(f.call("f", other.c(2))));
    assertInternal(
        other::get,
        """
        there is no constant with index 2: the executable has 0 constants
          instructions:
        @main:
          call  f                in: c[2]         dst: %0
          ret   %0

        @f packed_func;

        """);
  }

  @Test
  void distancesThatLeadNowhereAreRefused() {
    ib.emitFunction("main", 1);
    ib.emitGoto(0);
    ib.endFunction("main");
    assertInternal(
        ib::get, "a Goto must not aim at itself\n  at function main, pc 0: goto 0\n  got: 0");
    ExecBuilder other = new ExecBuilder();
    other.emitFunction("main", 1);
    other.emitIf(other.r(0), 1);
    other.endFunction("main");
    assertInternal(
        other::get,
        "an If goes on at the next instruction when its condition holds, so its false offset must"
            + " be 2 or more\n  at function main, pc 0: If %0, 1\n  got: 1");
  }

  @Test
  void functionsAreDefinedOnceAndEndedOnce() {
    ib.function("main", List.of("x"), f -> f.ret(f.param(0)));
    assertInternal(() -> ib.emitFunction("main", 1), "function 'main' is already defined");
    assertInternal(() -> ib.endFunction("main"), "cannot end function 'main': no function is open");
    assertInternal(
        () -> ib.emitFunction("g", 1, List.of("x", "y")),
        "function 'g' has 1 parameter, but 2 parameter names: [x, y]");
  }

  @Test
  void emptyAndOpenFunctionsAreRefused() {
    ib.emitFunction("main", 1);
    assertInternal(ib::get, "function 'main' has no end; call endFunction first");
    assertInternal(
        () -> ib.emitFunction("g", 1),
        "cannot begin function g inside of function main\n  what to do: call endFunction first");
    ib.endFunction("main");
    assertInternal(ib::get, "function 'main' has no instructions");
  }

  @Test
  void kindOfAFunctionCannotChange() {
    ib.function("main", List.of(), f -> f.ret(f.call("g")));
    assertInternal(
        () -> ib.emitFunction("g", 0),
        "function 'g' is already declared with another kind\n"
            + "  declared: PACKED\n"
            + "  now: VM\n"
            + "  what to do: a call declares an unknown name as PACKED; declare a VM "
            + "function that is called before its body with declareFunction");
  }

  @Test
  void emittingOutsideOfAFunctionIsRefused() {
    assertThatThrownBy(() -> ib.emitRet(ib.r(0)))
        .isInstanceOfSatisfying(
            InvalidProgramException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
        .hasMessage(
            "an instruction belongs to a function, but none is open\n"
                + "  what to do: begin one with function or emitFunction");
  }

  @Test
  void unknownFunctionIsNamedWithThoseThatExist() {
    assertInternal(
        () -> ib.f("g"),
        "function 'g' is not declared\n"
            + "  declared so far: none\n"
            + "  what to do: declare it first with declareFunction");
    ib.declareFunction("a", FunctionKind.PACKED);
    ib.declareFunction("b", FunctionKind.VM);
    assertInternal(
        () -> ib.f("g"),
        "function 'g' is not declared\n"
            + "  declared so far: a, b\n"
            + "  what to do: declare it first with declareFunction");
  }

  @Test
  void compiledFunctionNeedsARegisterForItsResult() {
    ib.compiledFunction("t", 2, List.of(), 2);
    assertInternal(
        ib::get,
        "function 't' has 2 registers for 2 parameters\n"
            + "  expected: one more than parameters, or more");
  }

  @Test
  void memoryScopeIsSavedForAConstant() {
    Arg constant = ib.convertConstant(Tensor.of(new float[] {1}, Shape.of(1)));
    ib.saveMemoryScope(constant, "global.texture");
    Executable executable = ExecutableReader.read(ExecutableWriter.write(ib.get()));
    assertThat(executable.memoryScopes()).isEqualTo(Map.of(0, "global.texture"));
    assertThat(executable.memoryScope(0)).contains("global.texture");
    assertInternal(
        () -> ib.saveMemoryScope(ib.c(1), "global"),
        "a memory scope belongs to a constant\n"
            + "  expected: a constant argument with an index below 1\n"
            + "  got: Arg[kind=CONSTANT, value=1]");
  }

  @Test
  void equalConstantsShareAnEntryInTheSameMemoryScopeOnly() {
    Tensor one = Tensor.of(new float[] {1}, Shape.of(1));
    assertThat(ib.convertConstant(one).value()).isZero();
    assertThat(ib.convertConstant(one, "").value()).isZero();
    assertThat(ib.convertConstant(one, "global").value()).isZero();
    assertThat(ib.convertConstant(one, "global.texture").value()).isEqualTo(1);
    assertThat(ib.convertConstant(one, "global.texture").value()).isEqualTo(1);
    assertThat(ib.convertConstant(one, "shared").value()).isEqualTo(2);
    assertThat(ib.get().memoryScopes())
        .isEqualTo(Map.of(0, "global", 1, "global.texture", 2, "shared"));
  }

  @Test
  void branchesAreEmittedAsTheCompilerDoes() {
    ib.function(
        "main",
        List.of("c", "x"),
        f -> f.ret(f.ifElse(f.param("c"), () -> f.param("x"), () -> f.call("g", f.param("x")))));
    assertThat(InstructionText.listing(ib.get()).lines().map(line -> line.replaceAll(" +", " ")))
        .startsWith(
            "@main:",
            " call vm.builtin.read_if_cond in: %0 dst: %2",
            " If %2, 3",
            " call vm.builtin.copy in: %1 dst: %3",
            " goto 3",
            " call g in: %1 dst: %4",
            " call vm.builtin.copy in: %4 dst: %3",
            " ret %3");
  }

  @Test
  void labelsServeLoopsAndMustBePlaced() {
    ib.function(
        "main",
        List.of("n"),
        f -> {
          Label loop = f.label();
          Label end = f.label();
          f.place(loop);
          f.jumpIfFalse(f.param("n"), end);
          f.callInto(f.param("n"), "decrement", f.param("n"));
          f.jump(loop);
          f.place(end);
          f.ret("done");
        });
    assertThat(InstructionText.listing(ib.get()).lines().map(line -> line.replaceAll(" +", " ")))
        .startsWith(
            "@main:",
            " If %0, 3",
            " call decrement in: %0 dst: %0",
            " goto -2",
            " call vm.builtin.copy in: c[0] dst: %1",
            " ret %1");
    assertInternal(
        () -> ib.function("g", List.of(), f -> f.jump(f.label())),
        "function g jumps to a label that was never placed");
  }

  @Test
  void parametersThatAreNeverUsedAreWarnedOf() {
    ib.function("main", List.of("x", "y", "z"), f -> f.ret(f.call("f", f.param("y"))));
    ib.emitFunction("unnamed", 2);
    ib.emitIf(ib.r(1), 2);
    ib.emitRet(Arg.VOID);
    ib.emitRet(Arg.VOID);
    ib.endFunction("unnamed");
    ib.function("all", List.of("a"), f -> f.ret(f.param("a")));
    ib.declareFunction("declared", FunctionKind.VM);
    assertThat(ib.warnings())
        .containsExactly(
            "parameter 0 ('x') of function 'main' is never used",
            "parameter 2 ('z') of function 'main' is never used",
            "parameter 0 of function 'unnamed' is never used");
  }

  @Test
  void aFunctionWithoutEndHasNoWarnings() {
    ib.emitFunction("main", 1);
    assertInternal(() -> ib.warnings(), "function 'main' has no end; call endFunction first");
  }
}
