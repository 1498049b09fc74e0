package org.relaxvm.interoprelay.release.interp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.interoprelay.release.Kernels.longs;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.interoprelay.release.Code;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.Kernels;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocTensorReg;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetField;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetTag;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokePacked;
import org.relaxvm.interoprelay.release.ReleasedInstruction.KillRegister;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Move;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ReshapeTensor;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Ret;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ShapeOf;
import org.relaxvm.interoprelay.release.SamplePrograms;
import org.relaxvm.interoprelay.release.file.EraFiles;

class ReleasedInterpreterTest {
  private static ReleasedInterpreter interpreter(ReleasedExecutable executable) {
    return new ReleasedInterpreter(executable, Kernels::find);
  }

  private static long[] run(ReleasedExecutable executable, Object... args) {
    try (Value result = interpreter(executable).call("main", args)) {
      return result.asTensor().toLongArray();
    }
  }

  private static ReleasedExecutable main(Era era, Code code, Tensor... constants) {
    return Kernels.executable(era, List.of(constants), code.build("main"));
  }

  @ParameterizedTest
  @EnumSource
  void listIsBuiltAndSummedByRecursion(Era era) {
    assertThat(run(SamplePrograms.list(era), longs(100))).containsExactly(5050);
  }

  @Test
  void depthOfCallsDoesNotDependOnTheJavaStack() {
    assertThat(run(SamplePrograms.list(Era.R4), longs(40_000))).containsExactly(800_020_000);
  }

  @ParameterizedTest
  @EnumSource
  void treeIsWalkedByMatch(Era era) {
    try (Value result = interpreter(SamplePrograms.tree(era)).call("main", longs(7))) {
      assertThat(result.asTuple().tag()).isZero();
      assertThat(result.asTuple().at(0).asTensor().toLongArray()).containsExactly(21);
      assertThat(result.asTuple().at(1).asTuple().tag()).isEqualTo(5);
    }
  }

  @ParameterizedTest
  @EnumSource
  void boundValuesOfAClosureComeFirst(Era era) {
    assertThat(run(SamplePrograms.closure(era), longs(3))).containsExactly(7);
  }

  @ParameterizedTest
  @CsvSource({"0.7.0, 5", "0.8.0, 0", "0.9.0, 0"})
  void kernelWithOneEmptyOutputIsNotCalledFrom08On(String version, int calls) {
    Era era = EraFiles.era(version);
    Code code = new Code(era, 0);
    int empty = code.kernel(Kernels.ADD, DType.INT64, Shape.of(0, 3));
    code.add(new Ret(empty));
    ReleasedExecutable base = main(era, code);
    ReleasedExecutable executable =
        new ReleasedExecutable(
            version,
            era,
            base.devices(),
            base.hostDevice(),
            base.functions(),
            base.constants(),
            base.constantDevices(),
            base.packed(),
            base.packedAttributes());
    int[] called = {0};
    ReleasedInterpreter interpreter =
        new ReleasedInterpreter(executable, _ -> Optional.of((_, _) -> called[0] += 5));
    interpreter.call("main").close();
    assertThat(called[0]).isEqualTo(calls);
  }

  @Test
  void ifComparesScalarsOfAllWidthsAsInt32() {
    for (Tensor one :
        List.of(
            Tensor.of(new boolean[] {true}, Shape.scalar()),
            Tensor.of(new byte[] {1}, Shape.of(1)),
            Tensor.of(new short[] {1}, Shape.of(1)),
            Tensor.of(new int[] {1}, Shape.scalar()),
            longs(1),
            longs((1L << 32) + 1))) {
      Code code = new Code(Era.R3, 1);
      Code.Label equal = new Code.Label();
      Code.Label other = new Code.Label();
      int result = code.fresh();
      code.ifEqual(0, code.number(1), equal, other).at(equal);
      code.add(new Move(code.number(10), result)).add(new Ret(result)).at(other);
      code.add(new Move(code.number(20), result)).add(new Ret(result));
      ReleasedExecutable executable = main(Era.R3, code);
      assertThat(run(executable, one)).containsExactly(10);
      assertThat(run(executable, longs(2))).containsExactly(20);
    }
  }

  @Test
  void shapesAreTensorsAndTensorsShareStorages() {
    Code code = new Code(Era.R3, 1);
    int shape = code.fresh();
    code.add(new ShapeOf(0, shape));
    int storage = code.storage(code.number(64), DType.INT64);
    int first = code.fresh();
    code.add(new AllocTensorReg(storage, code.number(0), shape, DType.INT64, first));
    int second = code.fresh();
    code.add(new AllocTensorReg(storage, code.number(8), shape, DType.INT64, second));
    code.add(new InvokePacked(Kernels.ADD, 1, List.of(0, 0, first)));
    int flat = code.fresh();
    code.add(new ReshapeTensor(second, code.constant(0), flat));
    code.add(new Ret(flat));
    // The second tensor begins one element later in the same storage.
    assertThat(
            run(
                main(Era.R3, code, longs(1, 3)),
                Tensor.of(new long[] {1, 2, 3, 4}, Shape.of(2, 2))))
        .containsExactly(4, 6, 8);
  }

  @Test
  void killedRegisterIsOfTheWrongKind() {
    Code code = new Code(Era.R3, 1);
    code.add(new KillRegister(0)).add(new GetField(0, 1, code.fresh())).add(new Ret(0));
    assertThatThrownBy(() -> run(main(Era.R3, code), longs(1)))
        .isInstanceOf(CallException.class)
        .hasMessage(
            """
            register $0 is of the wrong kind
              expected: a datatype
              got: null
              at function 'main', instruction 1: get_field $1 $0[1]\
            """);
  }

  @Test
  void tagIsATensorOnTheHost() {
    Code code = new Code(Era.R1, 0);
    int datatype = code.fresh();
    code.add(new ReleasedInstruction.AllocDatatype(9, datatype, List.of()));
    code.add(new GetTag(datatype, datatype)).add(new Ret(datatype));
    try (Value result = interpreter(main(Era.R1, code)).call("main")) {
      assertThat(result.asTensor()).hasToString(Tensor.of(new int[] {9}, Shape.of(1)).toString());
      assertThat(result.asTensor().longAt(0)).isEqualTo(9);
    }
  }

  @Test
  void fatalFails() {
    Code code = new Code(Era.R1, 0);
    code.add(new ReleasedInstruction.Fatal());
    assertThatThrownBy(() -> interpreter(main(Era.R1, code)).call("main"))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "the program reached a fatal instruction\n  at function 'main', instruction 0: fatal");
  }

  @Test
  void frameLimitIsAnError() {
    Code code = new Code(Era.R1, 0);
    code.add(new ReleasedInstruction.Invoke(0, code.fresh(), List.of())).add(new Ret(0));
    assertThatThrownBy(
            () -> new ReleasedInterpreter(main(Era.R1, code), Kernels::find, 3).call("main"))
        .isInstanceOf(CallException.class)
        .hasMessageStartingWith(
            """
            the call of function 'main' would be frame 4, but the limit is 3
              what to do: if the recursion is meant to be this deep, give the interpreter a higher limit\
            """);
  }

  @Test
  void missingKernelsAreNamed() {
    assertThatThrownBy(
            () -> new ReleasedInterpreter(SamplePrograms.list(Era.R2), _ -> Optional.empty()))
        .isInstanceOf(LinkException.class)
        .hasMessage(
            """
            the program needs kernels that nothing provides:
                add
                mul
                sub
                is_zero
                sum_all
              what to do: give the interpreter a lookup that finds them\
            """);
  }

  @Test
  void closureMayBeCalledByTheHost() {
    Code main = new Code(Era.R3, 1);
    main.add(new ReleasedInstruction.AllocClosure(1, 0, List.of(0))).add(new Ret(0));
    Code body = new Code(Era.R3, 2);
    body.add(new Ret(body.kernel(Kernels.SUB, DType.INT64, Shape.of(1), 0, 1)));
    ReleasedExecutable executable =
        Kernels.executable(Era.R3, List.of(), main.build("main"), body.build("body"));
    try (Value closure = interpreter(executable).call("main", longs(9))) {
      Value result = closure.asClosure().target().invoke(longs(2), closure.asClosure().boundAt(0));
      assertThat(result.asTensor().toLongArray()).containsExactly(7);
    }
  }
}
