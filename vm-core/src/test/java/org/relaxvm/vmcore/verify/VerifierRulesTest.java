package org.relaxvm.vmcore.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.relaxvm.vmcore.verify.Programs.F;
import static org.relaxvm.vmcore.verify.Programs.branch;
import static org.relaxvm.vmcore.verify.Programs.call;
import static org.relaxvm.vmcore.verify.Programs.jump;
import static org.relaxvm.vmcore.verify.Programs.main;
import static org.relaxvm.vmcore.verify.Programs.of;
import static org.relaxvm.vmcore.verify.Programs.ret;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeCode;
import org.relaxvm.vmcore.executable.Arg;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.FunctionInfo;
import org.relaxvm.vmcore.executable.FunctionKind;

/** One program for each way to break a rule, which must be the only finding. */
class VerifierRulesTest {
  private static final long[] RET = ret(0);

  @ParameterizedTest(name = "{0}: {2}")
  @MethodSource({"functionTable", "constantPool", "layout", "operands", "flow"})
  void violationIsTheOnlyFinding(Rule rule, String where, String message, Executable executable) {
    assertThat(Verifier.check(executable))
        .containsExactly(new Finding(Severity.ERROR, rule, where, message));
  }

  static Stream<Arguments> functionTable() {
    FunctionInfo good = main(1, 2, 0, 1);
    return Stream.of(
        arguments(
            Rule.FUNCTION_NAME,
            "function 1 ''",
            "the name of a function is empty",
            of(List.of(good, FunctionInfo.packed("")), RET)),
        arguments(
            Rule.FUNCTION_NAME,
            "function 2 'f'",
            "function 1 of the table has the same name",
            of(List.of(good, F, F), RET)),
        arguments(
            Rule.PARAMETER_NAMES,
            "function 0 'main'",
            "expected no parameter names or one per argument, which are 1, but got 2",
            of(new FunctionInfo(FunctionKind.VM, "main", 0, 1, 1, 2, List.of("x", "y")), RET)),
        arguments(
            Rule.PACKED_FUNCTION,
            "function 0 'f'",
            "expected an argument count of 0 or more, or -2 for a function that is only called, but"
                + " got -1",
            of(List.of(new FunctionInfo(FunctionKind.PACKED, "f", 0, 0, -1, 0, List.of())))),
        arguments(
            Rule.REGISTER_FILE,
            "function 0 'main'",
            "expected 0 or more arguments and at least as many registers, at most 16777216, but got"
                + " 3 arguments and 2 registers",
            of(main(3, 2, 0, 1), RET)),
        arguments(
            Rule.REGISTER_FILE,
            "function 0 'main'",
            "expected 0 or more arguments and at least as many registers, at most 16777216, but got"
                + " -1 arguments and 2 registers",
            of(main(-1, 2, 0, 1), RET)),
        arguments(
            Rule.REGISTER_FILE,
            "function 0 'main'",
            "expected 0 or more arguments and at least as many registers, at most 16777216, but got"
                + " 1 arguments and 16777217 registers",
            of(main(1, 16777217, 0, 1), RET)),
        arguments(
            Rule.REGISTER_FILE,
            "function 0 't'",
            "expected 0 or more arguments and at least one register more for the result, at most"
                + " 16777216, but got 2 arguments and 2 registers",
            of(List.of(new FunctionInfo(FunctionKind.VMTIR, "t", 0, 0, 2, 2, List.of())))),
        arguments(
            Rule.BODY_RANGE,
            "function 0 'main'",
            "expected a first instruction below the end, and the end at most 1, but got 0 to 2",
            of(main(1, 2, 0, 2), RET)),
        arguments(
            Rule.BODY_RANGE,
            "function 0 'main'",
            "expected a first instruction below the end, and the end at most 1, but got 1 to 1",
            of(main(1, 2, 1, 1), RET)),
        arguments(
            Rule.BODY_RANGE,
            "function 0 'main'",
            "expected a first instruction below the end, and the end at most 1, but got -1 to 1",
            of(main(1, 2, -1, 1), RET)),
        arguments(
            Rule.BODY_OVERLAP,
            "function 1 'g'",
            "the instructions 1 to 2 overlap those of function 0, which are 0 to 2",
            of(
                List.of(
                    main(1, 2, 0, 2),
                    new FunctionInfo(FunctionKind.VM, "g", 1, 2, 1, 2, List.of())),
                RET,
                RET)));
  }

  static Stream<Arguments> constantPool() {
    DType pair = new DType(TypeCode.FLOAT, 32, 2);
    return Stream.of(
        arguments(
            Rule.MEMORY_SCOPE,
            "constant 1",
            "a memory scope belongs to a constant that is not there: expected 0 to 0, but got 1",
            of(List.of(), List.of(Shape.of(1)), Map.of(1, "global"))),
        arguments(
            Rule.MEMORY_SCOPE,
            "constant 0",
            "only a tensor has a memory scope, but this is ffi.Shape",
            of(List.of(), List.of(Shape.of(1)), Map.of(0, "global"))),
        arguments(
            Rule.CONSTANT,
            "constant 0",
            "expected a tensor, shape, string, 64-bit integer, 64-bit float or data type, but got"
                + " bool",
            of(List.of(), List.of(true), Map.of())),
        arguments(
            Rule.CONSTANT,
            "constant 0",
            "expected a tensor of at most 64 axes with one lane of 1 or more bits, but got 1 axes"
                + " and 2 lanes of 32 bits",
            of(List.of(), List.of(Tensor.zeros(pair, Shape.of(1))), Map.of())),
        arguments(
            Rule.CONSTANT,
            "constant 0",
            "expected a shape of at most 65536 extents, but got 65537",
            of(List.of(), List.of(Shape.of(new long[65537])), Map.of())));
  }

  static Stream<Arguments> layout() {
    return Stream.of(
        layout(
            "pc 0",
            "expected the instruction at word 0, where the one before ends, but got 1",
            new long[] {1},
            new long[] {2, 0}),
        layout(
            "pc 1",
            "expected the instruction at word 2, where the one before ends, but got 3",
            new long[] {0, 3},
            new long[] {2, 0, 0, 2, 0}),
        layout(
            "pc 1",
            "expected an instruction at word 2, but there are no more words",
            new long[] {0, 2},
            new long[] {2, 0}),
        layout(
            "pc 0",
            "expected the opcode 1 (Call), 2 (Ret), 3 (Goto) or 4 (If), but got 4294967298",
            new long[] {0},
            new long[] {(1L << 32) + 2, 0}),
        layout(
            "pc 0",
            "expected 3 words for IF, but only 2 are left",
            new long[] {0},
            new long[] {4, 0}),
        layout(
            "pc 0",
            "expected 0 to 1 arguments, as words are left, but got 2",
            new long[] {0},
            new long[] {1, 0, 0, 2, 0}),
        layout(
            "pc 0",
            "expected 0 to 0 arguments, as words are left, but got -1",
            new long[] {0},
            new long[] {1, 0, 0, -1}),
        layout(
            "pc 1",
            "expected the instructions to use all 3 words, but they end at word 2",
            new long[] {0},
            new long[] {2, 0, 7}));
  }

  private static Arguments layout(String where, String message, long[] offsets, long[] words) {
    Executable executable = new Executable(List.of(), List.of(), Map.of(), offsets, words);
    return arguments(Rule.INSTRUCTION_LAYOUT, where, message, executable);
  }

  static Stream<Arguments> operands() {
    return Stream.of(
        arguments(
            Rule.FUNCTION_INDEX,
            "function main, pc 0: call unknown_func_index(2) in: dst: %1",
            "the callee: expected one of 2 functions, but got index 2",
            of(call(1, 2), RET)),
        arguments(
            Rule.FUNCTION_INDEX,
            "function main, pc 0: call f in: f[unknown_func_index(-1)] dst: %1",
            "argument 0: expected one of 2 functions, but got index -1",
            of(call(1, 1, Arg.function(-1).word()), RET)),
        arguments(
            Rule.CONSTANT_INDEX,
            "function main, pc 0: call f in: %0, c[1] dst: %1",
            "argument 1: expected one of 1 constants, but got index 1",
            of(call(1, 1, 0, Arg.constant(1).word()), RET)),
        arguments(
            Rule.ARGUMENT_KIND,
            "function main, pc 0: words 0x1 0x1 0x1 0x1 0x400000000000000",
            "argument 0: expected the kind 0 (register), 1 (immediate), 2 (constant) or 3"
                + " (function), but got 4",
            of(call(1, 1, 4L << 56), RET)),
        arguments(
            Rule.REGISTER,
            "function main, pc 0: call f in: %-1 dst: %1",
            "argument 0: expected a register below %2, %void or %vm, but got %-1",
            of(call(1, 1, Arg.register(-1).word()), RET)),
        arguments(
            Rule.REGISTER,
            "function main, pc 0: call f in: dst: %vm",
            "the destination: expected a register below %2 or %void, but got %vm",
            of(call(Arg.VM_REGISTER, 1), RET)),
        arguments(
            Rule.REGISTER,
            "function main, pc 0: call f in: dst: %-1",
            "the destination: expected a register below %2 or %void, but got %-1",
            of(call(-1, 1), RET)),
        arguments(
            Rule.REGISTER,
            "function main, pc 0: ret %vm",
            "the result: expected a register below %2 or %void, but got %vm",
            of(ret(Arg.VM_REGISTER))),
        arguments(
            Rule.REGISTER,
            "function main, pc 0: If %void, 2",
            "the condition: expected a register below %2, but got %void",
            of(branch(Arg.VOID_REGISTER, 2), RET, RET)));
  }

  static Stream<Arguments> flow() {
    return Stream.of(
        arguments(
            Rule.JUMP_TARGET,
            "function main, pc 0: goto 0",
            "expected a distance other than 0, which would be an endless loop",
            of(jump(0), RET)),
        arguments(
            Rule.JUMP_TARGET,
            "function main, pc 0: goto 2",
            "expected a jump within the function, a distance of 0 to 1, but got 2",
            of(jump(2), RET)),
        arguments(
            Rule.JUMP_TARGET,
            "function main, pc 1: goto -2",
            "expected a jump within the function, a distance of -1 to 0, but got -2",
            of(RET, jump(-2))),
        arguments(
            Rule.JUMP_TARGET,
            "function main, pc 1: goto 9223372036854775807",
            "expected a jump within the function, a distance of -1 to 0, but got"
                + " 9223372036854775807",
            of(RET, jump(Long.MAX_VALUE))),
        arguments(
            Rule.JUMP_TARGET,
            "function main, pc 0: If %0, 1",
            "expected a false offset of 2 or more, for 1 is the next instruction, but got 1",
            of(branch(0, 1), RET)),
        arguments(
            Rule.JUMP_TARGET,
            "function main, pc 0: If %0, 2",
            "expected a jump within the function, a distance of 0 to 1, but got 2",
            of(branch(0, 2), RET)),
        arguments(
            Rule.FALL_OFF_END,
            "function main, pc 0: call f in: dst: %1",
            "expected the function to end with Ret or a backward Goto, but the last instruction is"
                + " Call",
            of(call(1, 1))));
  }
}
