package org.relaxvm.interoprelay.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.ReleasedConstant;
import org.relaxvm.interoprelay.release.ReleasedDevice;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocClosure;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocDatatype;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocStorage;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocTensor;
import org.relaxvm.interoprelay.release.ReleasedInstruction.AllocTensorReg;
import org.relaxvm.interoprelay.release.ReleasedInstruction.DeviceCopy;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Fatal;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetField;
import org.relaxvm.interoprelay.release.ReleasedInstruction.GetTag;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Goto;
import org.relaxvm.interoprelay.release.ReleasedInstruction.If;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Invoke;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokeClosure;
import org.relaxvm.interoprelay.release.ReleasedInstruction.InvokePacked;
import org.relaxvm.interoprelay.release.ReleasedInstruction.KillRegister;
import org.relaxvm.interoprelay.release.ReleasedInstruction.LoadConst;
import org.relaxvm.interoprelay.release.ReleasedInstruction.LoadConsti;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Move;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ReshapeTensor;
import org.relaxvm.interoprelay.release.ReleasedInstruction.Ret;
import org.relaxvm.interoprelay.release.ReleasedInstruction.ShapeOf;

class ReleasedTranslatorTest {
  private static final int NONE = ReleasedInstruction.NONE;
  private static final Shape SCALAR = Shape.scalar();

  private static ReleasedFunction function(
      String name, int params, ReleasedInstruction... instructions) {
    List<String> names = IntStream.range(0, params).mapToObj(i -> "p" + i).toList();
    return new ReleasedFunction(
        name, names, names.stream().map(_ -> 0).toList(), 12, List.of(instructions));
  }

  private static ReleasedExecutable executable(
      String version, Era era, List<Object> constants, ReleasedFunction... functions) {
    List<ReleasedConstant> stored = new ArrayList<>();
    for (Object constant : constants) {
      stored.add(
          constant instanceof Tensor tensor
              ? new ReleasedConstant.Stored(tensor)
              : new ReleasedConstant.LateBound((String) constant));
    }
    return new ReleasedExecutable(
        version,
        era,
        era.compareTo(Era.R3) >= 0 ? List.of(new ReleasedDevice(1, 0, "")) : List.of(),
        0,
        List.of(functions),
        stored,
        era == Era.R1 ? List.of() : constants.stream().map(_ -> era == Era.R2 ? 1 : 0).toList(),
        List.of("add", "plus_one", "first_element"),
        Map.of());
  }

  private static Translated program(ReleasedFunction... functions) {
    return program("0.12.0", functions);
  }

  private static Translated program(String version, ReleasedFunction... functions) {
    return new Translated(
        ReleasedTranslator.translate(executable(version, Era.R3, List.of(), functions)));
  }

  /** A branch that moves into one register on both sides. */
  private static ReleasedFunction choice(ReleasedInstruction loadTarget) {
    return function(
        "main",
        1,
        loadTarget,
        new If(0, 1, 1, 4),
        new LoadConsti(10, 2),
        new Move(2, 3),
        new Goto(3),
        new LoadConsti(20, 2),
        new Move(2, 3),
        new Ret(3));
  }

  @ParameterizedTest
  @CsvSource({
    "int8, 5, true",
    "bool, 1, false",
    "int32, 5, true",
    "int64, 5, true",
    "uint8, 5, true",
    "int16, 6, false"
  })
  void anIfComparesIntegersOfEveryWidth(String dtype, int value, boolean equal) {
    Tensor test = Tensor.zeros(DType.parse(dtype), SCALAR);
    test.segment().set(java.lang.foreign.ValueLayout.JAVA_BYTE, 0, (byte) value);
    try (Translated program = program(choice(new LoadConsti(5, 1)));
        Value result = program.call("main", test)) {
      assertThat(result.asTensor().toLongArray()).containsExactly(equal ? 10 : 20);
      assertThat(result).hasToString("int64[1] on cpu:0");
    }
  }

  @Test
  void anIfComparesTheLow32Bits() {
    try (Translated program = program(choice(new LoadConsti(1, 1)));
        Value result = program.call("main", Tensor.scalar((1L << 32) + 1))) {
      assertThat(result.asTensor().toLongArray()).containsExactly(10);
    }
  }

  @Test
  void aConditionThatIsComparedWithOneIsRead() {
    ReleasedFunction main =
        function(
            "main",
            1,
            new LoadConsti(1, 1),
            new AllocStorage(1, 64, DType.BOOL, 0, SCALAR, 2),
            new AllocTensor(2, NONE, DType.BOOL, SCALAR, 3),
            new InvokePacked(0, 1, List.of(0, 3)),
            new If(3, 1, 1, 2),
            new Ret(0),
            new Ret(3));
    try (Translated program = program(main)) {
      assertThat(program.listing())
          .isEqualTo(
              """
              @main:
                call  vm.builtin.alloc_storage in: %vm, c[0], i0, c[1], c[2] dst: %1
                call  vm.builtin.alloc_tensor in: %1, i0, c[3], c[4] dst: %2
                call  vm.builtin.call_flat in: f[add], i1, %0, %2 dst: %void
                call  vm.builtin.read_if_cond in: %2           dst: %3
                If    %3, 2
                ret   %0
                ret   %2
              """);
      assertThat(program.executable().functions().getFirst().paramNames()).containsExactly("p0");
    }
  }

  @Test
  void registersThatAreNotDefinedOnEveryPathAreEmptyFirst() {
    ReleasedFunction main =
        function(
            "main",
            1,
            new LoadConsti(1, 1),
            new If(0, 1, 1, 2),
            new Move(0, 4),
            new AllocDatatype(0, 5, List.of(4)),
            new Ret(5));
    try (Translated program = program(main)) {
      assertThat(program.listing())
          .startsWith(
              """
              @main:
                call  vm.builtin.null_value in:              dst: %1
                call  vm.builtin.int_equal_reg in: %0, i1       dst: %2
              """);
      try (Value defined = program.call("main", Tensor.scalar(1L));
          Value empty = program.call("main", Tensor.scalar(0L))) {
        assertThat(defined).hasToString("[int64[] on cpu:0]");
        assertThat(empty).hasToString("[null]");
      }
    }
  }

  /** Shape functions: what is allocated depends on tensors, also its size and offset. */
  @Test
  void storageAndTensorsHaveSizesThatTensorsHold() {
    ReleasedFunction main =
        function(
            "main",
            3,
            new ShapeOf(0, 3),
            new AllocStorage(1, 64, DType.INT64, 0, SCALAR, 4),
            new AllocTensorReg(4, 2, 3, DType.INT64, 5),
            new InvokePacked(0, 1, List.of(0, 0, 5)),
            new LoadConsti(6, 6),
            new ReshapeTensor(5, 6, 7),
            new KillRegister(4),
            new AllocDatatype(0, 8, List.of(5, 7, 3)),
            new Ret(8));
    try (Translated program = program(main);
        Value value =
            program.call(
                "main",
                Tensor.of(new long[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3)),
                Tensor.scalar(64L),
                Tensor.scalar(16L))) {
      Tensor sum = value.asTuple().at(0).asTensor();
      assertThat(sum.byteOffset()).isEqualTo(16);
      assertThat(sum.shape()).isEqualTo(Shape.of(2, 3));
      assertThat(sum.toLongArray()).containsExactly(2, 4, 6, 8, 10, 12);
      assertThat(value.asTuple().at(1).asTensor().shape()).isEqualTo(Shape.of(6));
      assertThat(value.asTuple().at(2).asTensor().toLongArray()).containsExactly(2, 3);
    }
  }

  @Test
  void datatypesAreFlattenedForKernels() {
    ReleasedFunction main =
        function(
            "main",
            2,
            new LoadConsti(8, 2),
            new AllocStorage(2, 64, DType.INT64, 0, SCALAR, 3),
            new AllocTensor(3, NONE, DType.INT64, SCALAR, 4),
            new AllocDatatype(0, 5, List.of(0, 1)),
            new InvokePacked(0, 1, List.of(5, 4)),
            new Ret(4));
    try (Translated program = program(main);
        Value sum = program.call("main", Tensor.scalar(3L), Tensor.scalar(4L))) {
      assertThat(sum.asTensor().longAt()).isEqualTo(7);
    }
  }

  @ParameterizedTest
  @CsvSource({"0.7.0, R2, 1", "0.8.0, R2, 0", "0.12.0, R3, 0", "0.6.1, R1, 1"})
  void aKernelWithOneEmptyOutputIsSkippedFrom08On(String version, Era era, long calls) {
    ReleasedFunction main =
        function(
            "main",
            1,
            new LoadConsti(0, 2),
            new AllocStorage(2, 0, DType.INT64, era == Era.R2 ? 1 : 0, SCALAR, 3),
            new AllocTensor(3, NONE, DType.INT64, Shape.of(0), 4),
            new InvokePacked(0, 1, List.of(0, 0, 4)),
            new Ret(4));
    long[] called = {0};
    ReleasedExecutable made = executable(version, era, List.of(), main);
    ReleasedExecutable counted =
        new ReleasedExecutable(
            made.version(),
            made.era(),
            made.devices(),
            made.hostDevice(),
            made.functions(),
            made.constants(),
            made.constantDevices(),
            List.of("count_calls"),
            Map.of());
    try (Translated program =
            new Translated(
                ReleasedTranslator.translate(counted),
                builder -> builder.function("count_calls", (_, _) -> called[0]++));
        Value value = program.call("main", Tensor.scalar(1L))) {
      assertThat(value).hasToString("int64[0] on cpu:0");
      assertThat(called[0]).isEqualTo(calls);
    }
  }

  /** The length of a list, and its tags: a match with GetTag, If and Fatal. */
  private static final ReleasedFunction LENGTH =
      function(
          "length",
          2,
          new GetTag(0, 2),
          new LoadConsti(0, 3),
          new If(2, 3, 1, 3),
          new Move(1, 4),
          new Goto(10),
          new LoadConsti(1, 3),
          new If(2, 3, 1, 7),
          new GetField(0, 1, 5),
          new LoadConsti(8, 6),
          new AllocStorage(6, 64, DType.INT64, 0, SCALAR, 7),
          new AllocTensor(7, NONE, DType.INT64, SCALAR, 8),
          new InvokePacked(1, 1, List.of(1, 8)),
          new Goto(3),
          new Fatal(),
          new Ret(4),
          new Invoke(0, 4, List.of(5, 8)),
          new Goto(-2));

  @Test
  void aMatchFollowsTagsAndARecursiveFunctionUsesOneFrame() {
    Tuple list = Tuple.of();
    for (long i = 0; i < 200_000; i++) {
      list = Tuple.ofOwned(1, new Object[] {i, list});
    }
    try (Translated program = program(LENGTH)) {
      assertThat(program.listing()).contains("vm.builtin.get_tag in:");
      try (Value length = program.call("length", list, Tensor.scalar(0L))) {
        assertThat(length.asTensor().longAt()).isEqualTo(200_000);
      }
      assertThatThrownBy(() -> program.call("length", Tuple.tagged(2), Tensor.scalar(0L)))
          .isInstanceOf(CallException.class)
          .hasMessageStartingWith(
              "the program reached a fatal instruction\n"
                  + "  at function length, instruction 13\n");
    }
  }

  @Test
  void aTagThatIsUsedAsAValueIsATensor() {
    ReleasedFunction main = function("main", 1, new GetTag(0, 1), new Ret(1));
    try (Translated program = program(main);
        Value tag = program.call("main", Tuple.tagged(3))) {
      assertThat(tag).hasToString("int32[1] on cpu:0");
      assertThat(tag.asTensor().toLongArray()).containsExactly(3);
    }
  }

  @Test
  void closuresBindTheFirstParameters() {
    ReleasedFunction f = function("f", 3, new AllocDatatype(7, 3, List.of(0, 1, 2)), new Ret(3));
    ReleasedFunction main =
        function(
            "main",
            3,
            new AllocClosure(0, 3, List.of(0, 1)),
            new InvokeClosure(3, 4, List.of(2)),
            new Ret(4));
    try (Translated program = program(f, main);
        Value value = program.call("main", Tensor.scalar(1f), 2, 3)) {
      assertThat(value).hasToString("#7[float32[] on cpu:0, 2, 3]");
    }
  }

  @Test
  void everyEraIsTranslated() {
    Tensor eight = Tensor.scalar(8L);
    Tensor two = Tensor.scalar(2L);
    for (Era era : Era.values()) {
      int device = era == Era.R2 ? 1 : era == Era.R1 ? NONE : 0;
      boolean hasOffset = era != Era.R1;
      ReleasedFunction main =
          function(
              "main",
              1,
              new LoadConst(0, era == Era.R4 ? 0 : NONE, 1),
              new LoadConst(1, era == Era.R4 ? 0 : NONE, 2),
              new LoadConsti(0, 3),
              new AllocStorage(
                  1,
                  era == Era.R1 ? 1 : 64,
                  DType.INT64,
                  device,
                  era == Era.R4 ? Shape.of(1) : SCALAR,
                  4),
              new AllocTensor(4, hasOffset ? 3 : NONE, DType.INT64, SCALAR, 5),
              new InvokePacked(0, 1, List.of(0, 2, 5)),
              new Ret(5));
      try (Translated program =
              new Translated(
                  ReleasedTranslator.translate(
                      executable("0.8.0", era, List.of(eight, two), main)));
          Value sum = program.call("main", Tensor.scalar(40L))) {
        assertThat(sum.asTensor().longAt()).as(era.name()).isEqualTo(42);
      }
    }
  }

  @Test
  void deviceTypesAreDevicesInOrderOfFirstUseWithTheHostLast() {
    ReleasedFunction main =
        function(
            "main",
            1,
            new LoadConst(0, NONE, 1),
            new DeviceCopy(0, 1, 2, 2),
            new LoadConsti(16, 3),
            new AllocStorage(3, 64, DType.INT64, 2, SCALAR, 4),
            new LoadConsti(7, 5),
            new AllocDatatype(0, 6, List.of(1, 2, 4, 5)),
            new Ret(6));
    ReleasedExecutable made = executable("0.7.0", Era.R2, List.of(Tensor.scalar(1L)), main);
    assertThat(ReleasedTranslator.devices(made))
        .containsExactly(DeviceId.parse("cuda:0"), DeviceId.CPU);
    assertThat(Translated.listing(ReleasedTranslator.translate(made)))
        .isEqualTo(
            """
            @main:
              call  vm.builtin.to_device in: c[0], i1, i0 dst: %1
              call  vm.builtin.to_device in: %0, i2, i0   dst: %2
              call  vm.builtin.alloc_storage in: %vm, c[1], i0, c[2], c[3] dst: %3
              call  vm.builtin.to_device in: c[4], i1, i0 dst: %4
              call  vm.builtin.make_adt in: i0, %1, %2, %3, %4 dst: %5
              ret   %5
            """);
  }

  @Test
  void rowsOfTheDeviceTableThatAreOneDeviceAreOne() {
    ReleasedExecutable single =
        executable("0.12.0", Era.R3, List.of(), function("main", 1, new Ret(0)));
    assertThat(ReleasedTranslator.devices(single)).isEmpty();
    ReleasedExecutable several =
        new ReleasedExecutable(
            "0.14.0",
            Era.R4,
            List.of(
                new ReleasedDevice(1, 0, ""),
                new ReleasedDevice(4, 0, "global"),
                new ReleasedDevice(4, 0, "global.texture")),
            0,
            List.of(
                function(
                    "main",
                    0,
                    new LoadConsti(4, 0),
                    new AllocStorage(0, 64, DType.INT8, 0, SCALAR, 1),
                    new AllocStorage(0, 64, DType.INT8, 2, Shape.of(2, 2), 2),
                    new AllocDatatype(0, 3, List.of(1, 2)),
                    new Ret(3))),
            List.of(),
            List.of(),
            List.of(),
            Map.of());
    assertThat(ReleasedTranslator.devices(several))
        .containsExactly(DeviceId.parse("opencl:0"), DeviceId.CPU);
    assertThat(Translated.listing(ReleasedTranslator.translate(several)))
        .isEqualTo(
            """
            @main:
              call  vm.builtin.alloc_storage in: %vm, c[0], i1, c[1], c[2] dst: %0
              call  vm.builtin.alloc_storage in: %vm, c[3], i0, c[4], c[5] dst: %1
              call  vm.builtin.make_adt in: i0, %0, %1   dst: %2
              ret   %2
            """);
  }

  @Test
  void aConstantWithoutValueIsRefused() {
    ReleasedExecutable made =
        executable(
            "0.12.0",
            Era.R3,
            List.of("const_0", "const_1"),
            function("main", 0, new LoadConst(0, NONE, 0), new Ret(0)));
    assertThatThrownBy(() -> ReleasedTranslator.translate(made))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "constants have no values: const_0, const_1\n"
                + "  what to do: load the program with the parameter file that was saved with it");
  }
}
