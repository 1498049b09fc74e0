package org.relaxvm.interoprelay.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.interoprelay.proposal.RelayTestFunctions;
import org.relaxvm.interoprelay.proposal.text.RelayText;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableReader;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.text.ExecutableText;
import org.relaxvm.vmcore.verify.Verifier;

/** Closures, datatypes, tensors and calls of packed functions. */
class ValueTranslationTest {
  private static final String LISTS =
      """
      packed 0 = "plus_one"
      func @len(2) {
        GetTag $2, $0
        IfEq $2, 0, L1, L2
      L1: Ret $1
      L2: GetField $3, $0, 1
        AllocTensor $4, 0, [], int64
        InvokePacked 0, 1, 1, $1, $4
        Invoke $5, @len, 2, $3, $4
        Ret $5
      }
      func @map(2) {
        GetTag $2, $1
        IfEq $2, 0, L1, L2
      L1: Ret $1
      L2: GetField $3, $1, 0
        InvokeClosure $4, $0, 1, $3
        GetField $5, $1, 1
        Invoke $6, @map, 2, $0, $5
        AllocDatatype $7, 1, 2, $4, $6
        Ret $7
      }
      func @pair(2) {
        AllocDatatype $2, 0, 2, $0, $1
        Ret $2
      }
      func @main(2) {
        AllocClosure $2, @pair, 1, $0
        Invoke $3, @map, 2, $2, $1
        Ret $3
      }
      """;

  private static Tuple list(long count) {
    Tuple list = Tuple.of();
    for (long i = count; i > 0; i--) {
      list = Tuple.ofOwned(1, new Object[] {i, list});
    }
    return list;
  }

  @Test
  void aListIsMappedByAClosureAndItsTagsAreKept() {
    try (Translated program = Translated.of(LISTS)) {
      try (Value mapped = program.call("main", 9, list(2))) {
        assertThat(mapped).hasToString("#1[[9, 1], #1[[9, 2], []]]");
      }
      try (Value length = program.call("len", list(50_000), Tensor.scalar(0L))) {
        assertThat(length.asTensor().longAt()).isEqualTo(50_000);
      }
      try (Value mapped = program.call("main", 0, list(50_000))) {
        assertThat(mapped.asTuple().tag()).isEqualTo(1);
      }
    }
  }

  @Test
  void aFieldThatDoesNotExistIsRefused() {
    try (Translated program = Translated.of(LISTS)) {
      assertThatThrownBy(() -> program.call("len", Tuple.tagged(1, 5L), Tensor.scalar(0L)))
          .isInstanceOf(CallException.class)
          .hasMessageStartingWith("there is no field 1 in a tuple of 1 field\n");
    }
  }

  @Test
  void withoutTagsTuplesAreThoseOfOtherPrograms() {
    String text =
        """
        func @main(2) {
          AllocDatatype $2, 0, 2, $0, $1
          GetField $3, $2, 1
          Ret $3
        }
        """;
    try (Translated program = Translated.of(text)) {
      assertThat(program.listing())
          .isEqualTo(
              """
              @main:
                call  vm.builtin.make_tuple in: %0, %1       dst: %2
                call  vm.builtin.tuple_getitem in: %2, i1       dst: %3
                ret   %3
              """);
    }
  }

  private static final String CLOSURES =
      """
      func @f(3) {
        AllocDatatype $3, 0, 3, $0, $1, $2
        Ret $3
      }
      func @apply(2) {
        InvokeClosure $2, $0, 1, $1
        InvokeClosure $3, $0, 1, $2
        Ret $3
      }
      func @main(3) {
        AllocClosure $3, @f, 2, $0, $1
        AllocClosure $4, @apply, 0
        InvokeClosure $5, $4, 2, $3, $2
        AllocClosure $6, @apply, 1, $3
        AllocClosure $7, @apply, 2, $3, $5
        InvokeClosure $8, $7, 0
        AllocDatatype $9, 0, 2, $5, $8
        Ret $9
      }
      func @closure(2) {
        AllocClosure $2, @f, 2, $0, $1
        Ret $2
      }
      """;

  @Test
  void boundValuesComeFirst() {
    for (boolean renumber : new boolean[] {false, true}) {
      TranslationOptions options = TranslationOptions.DEFAULT.withRenumberParameters(renumber);
      try (Translated program = Translated.of(CLOSURES, options);
          Value value = program.call("main", 1, 2, 3)) {
        assertThat(value).hasToString("[[1, 2, [1, 2, 3]], [1, 2, [1, 2, [1, 2, [1, 2, 3]]]]]");
        assertThat(program.listing().contains("@f$cap2:")).isEqualTo(!renumber);
      }
    }
  }

  @Test
  void theExampleOfTheSpecificationHasItsListing() {
    String text =
        """
        func @f(3) {
          AllocDatatype $3, 0, 3, $0, $1, $2
          Ret $3
        }
        func @main(3) {
          AllocClosure $3, @f, 2, $0, $1
          InvokeClosure $4, $3, 1, $2
          Ret $4
        }
        """;
    try (Translated program = Translated.of(text)) {
      assertThat(program.listing())
          .isEqualTo(
              """
              @f:
                call  vm.builtin.make_tuple in: %0, %1, %2   dst: %3
                ret   %3

              @main:
                call  vm.builtin.make_closure in: f[f$cap2], %0, %1 dst: %3
                call  vm.builtin.invoke_closure in: %vm, %3, %2  dst: %4
                ret   %4

              @f$cap2:
                call  f                in: %1, %2, %0   dst: %3
                ret   %3
              """);
    }
  }

  @Test
  void aClosureIsAResultThatOtherProgramsCanInvoke() {
    try (Translated program = Translated.of(CLOSURES);
        Value closure = program.call("closure", 1, 2);
        Value value = program.vm().invoke(closure.object(), 3)) {
      assertThat(value).hasToString("[1, 2, 3]");
    }
  }

  @Test
  void aPackedFunctionHasSeveralOutputs() {
    String text =
        """
        packed 0 = "sum_and_difference"
        func @main(2) {
          AllocTensor $2, 0, [], int64
          AllocTensor $3, 0, [], int64
          InvokePacked 0, 2, 2, $0, $1, $2, $3
          AllocDatatype $4, 0, 2, $2, $3
          Ret $4
        }
        """;
    try (Translated program = Translated.of(text);
        Value value = program.call("main", Tensor.scalar(7L), Tensor.scalar(4L))) {
      assertThat(value.asTuple().at(0).asTensor().longAt()).isEqualTo(11);
      assertThat(value.asTuple().at(1).asTensor().longAt()).isEqualTo(3);
    }
  }

  @Test
  void datatypesAreFlattenedForPackedFunctionsOnDemand() {
    String text =
        """
        packed 0 = "add"
        func @main(2) {
          AllocDatatype $2, 0, 2, $0, $1
          AllocTensor $3, 0, [], int64
          InvokePacked 0, 1, 1, $2, $3
          AllocTensor $4, 0, [], int64
          InvokePacked 0, 2, 1, $3, $3, $4
          Ret $4
        }
        """;
    TranslationOptions flat = TranslationOptions.DEFAULT.withFlattenDatatypes(true);
    try (Translated program = Translated.of(text, flat);
        Value value = program.call("main", Tensor.scalar(7L), Tensor.scalar(4L))) {
      assertThat(value.asTensor().longAt()).isEqualTo(22);
      assertThat(program.listing())
          .contains("vm.builtin.call_flat in: f[add], i0, ")
          .contains("call  add ");
    }
    try (Translated program = Translated.of(text)) {
      assertThatThrownBy(() -> program.call("main", Tensor.scalar(7L), Tensor.scalar(4L)))
          .isInstanceOf(RelaxException.class)
          .hasMessageStartingWith("a binary test function(a, b, out) takes 3 arguments, but got 2");
    }
  }

  @Test
  void constantsAndMovesShareTheirMemory() {
    String text =
        """
        const 0 = tensor(int64,[2],[1,2])
        packed 0 = "plus_one"
        func @main(1) {
          LoadConst $1, 0
          Mov $2, $1
          AllocTensor $3, 1, [2], int64
          Mov $4, $3
          InvokePacked 0, 1, 1, $0, $3
          AllocDatatype $5, 0, 4, $1, $2, $3, $4
          Ret $5
        }
        """;
    try (Translated program = Translated.of(text);
        Value value = program.call("main", Tensor.of(new long[] {3, 4}, Shape.of(2)))) {
      Tuple fields = value.asTuple();
      assertThat(fields.at(0).asTensor().storage()).isSameAs(fields.at(1).asTensor().storage());
      assertThat(fields.at(2).asTensor().storage()).isSameAs(fields.at(3).asTensor().storage());
      assertThat(fields.at(3).asTensor().toLongArray()).containsExactly(4, 5);
    }
  }

  @Test
  void aKilledRegisterReleasesItsMemory() {
    String text =
        """
        packed 0 = "observe"
        func @main(0) {
          AllocTensor $0, 1, [1024], int8
          AllocTensor $1, 1, [1024], int8
          CallPacked $2, 0, 0
          Kill $0
          Kill $1
          CallPacked $3, 0, 0
          AllocDatatype $4, 0, 2, $2, $3
          Ret $4
        }
        """;
    Executable executable = ProposalTranslator.translate(RelayText.parse(text));
    try (Translated program =
            new Translated(
                executable,
                builder ->
                    builder.function(
                        "observe",
                        (args, result) ->
                            result.setLong(args.context().allocator(0).stats().liveBytes())));
        Value value = program.call("main")) {
      long before = value.asTuple().at(0).asLong();
      assertThat(before).isGreaterThanOrEqualTo(2048);
      assertThat(value.asTuple().at(1).asLong()).isLessThanOrEqualTo(before - 2048);
    }
  }

  @Test
  void shapesAreDynamic() {
    String text =
        """
        packed 0 = "add"
        func @main(2) {
          ShapeOf $2, $0
          AllocTensorReg $3, $2, int64
          InvokePacked 0, 2, 1, $0, $0, $3
          ReshapeTensor $4, $3, $1
          Ret $4
        }
        """;
    try (Translated program = Translated.of(text);
        Value value =
            program.call(
                "main",
                RelayTestFunctions.longs(1, 6),
                Tensor.of(new long[] {2, 3}, Shape.of(2)))) {
      assertThat(value.asTensor().shape()).isEqualTo(Shape.of(2, 3));
      assertThat(value.asTensor().toLongArray()).containsExactly(2, 4, 6, 8, 10, 12);
    }
  }

  @Test
  void aTensorMayBeEmpty() {
    String text =
        """
        packed 0 = "add"
        func @main(1) {
          AllocTensor $1, 2, [0, 3], float32
          InvokePacked 0, 2, 1, $0, $0, $1
          Ret $1
        }
        """;
    try (Translated program = Translated.of(text);
        Value value = program.call("main", Tensor.zeros(DType.FLOAT32, Shape.of(0, 3)))) {
      assertThat(value).hasToString("float32[0, 3] on cpu:0");
    }
  }

  @Test
  void aFatalInstructionFails() {
    try (Translated program = Translated.of("func @main(0) {\n  Fatal\n}\n")) {
      assertThatThrownBy(() -> program.call("main"))
          .isInstanceOf(CallException.class)
          .hasMessageStartingWith(
              "the program reached a Fatal instruction\n  at function main, instruction 0\n");
    }
  }

  @Test
  void aFunctionWithTheNameOfAPackedFunctionGetsAPrefix() {
    String text =
        """
        packed 0 = "add"
        func @add(2) {
          AllocTensor $2, 0, [], int64
          InvokePacked 0, 2, 1, $0, $1, $2
          Ret $2
        }
        """;
    try (Translated program = Translated.of(text);
        Value value = program.call("relay.add", Tensor.scalar(1L), Tensor.scalar(2L))) {
      assertThat(value.asTensor().longAt()).isEqualTo(3);
    }
  }

  @Test
  void translatedProgramsAreVerifiedSavedAndReadBack() {
    for (String text : new String[] {LISTS, CLOSURES}) {
      for (boolean trampoline : new boolean[] {false, true}) {
        Executable made =
            ProposalTranslator.translate(
                RelayText.parse(text), TranslationOptions.DEFAULT.withTrampoline(trampoline));
        Verifier.verify(made);
        Executable read = readBack(made);
        assertThat(ExecutableText.asText(read)).isEqualTo(ExecutableText.asText(made));
      }
    }
  }

  private static Executable readBack(Executable executable) {
    return ExecutableReader.read(ExecutableWriter.write(executable));
  }
}
