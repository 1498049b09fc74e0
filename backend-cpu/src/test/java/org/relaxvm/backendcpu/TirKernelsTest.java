package org.relaxvm.backendcpu;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.backendcpu.vector.VectorChoice;

/** Images of kernels that the device takes, and what it says about others. */
class TirKernelsTest {
  private static final String TWO =
      """
      # relaxvm tir 1
      @T.prim_func
      def one(A: T.Buffer((4,), "float32")):
          for i in range(4):
              A[i] = T.float32(1)

      @T.prim_func
      def two(A: T.Buffer((4,), "float32")):
          for i in range(4):
              A[i] = T.float32(2)
      """;

  private final CpuDevice device = new CpuDevice(CpuFacts.read(), VectorChoice.get());

  private static ModuleImage image(String format, byte[] text, String... symbols) {
    return new ModuleImage(format, List.of(symbols), MemorySegment.ofArray(text));
  }

  private String message(ModuleImage image) {
    RelaxException error =
        catchThrowableOfType(RelaxException.class, () -> device.loadModule(image));
    assertThat(error).isNotNull();
    return error.kind() + ": " + error.getMessage();
  }

  @Test
  void modulesHaveTheSymbolsThatWereAskedFor() {
    try (Module module = device.loadModule(image("tir", TWO.getBytes(UTF_8), "two"))) {
      assertThat(module.functionNames()).containsExactly("two");
      assertThat(module.find("one")).isEmpty();
      Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(4));
      module.find("two").orElseThrow().invoke(out).close();
      assertThat(out.toFloatArray()).containsExactly(2, 2, 2, 2);
    }
  }

  @Test
  void aKernelWithBuffersOfItsOwnTakesMemory() {
    String text =
        """
        # relaxvm tir 1
        @T.prim_func
        def twice(A: T.Buffer((4,), "float32"), C: T.Buffer((4,), "float32")):
            B = T.alloc_buffer((4,), "float32")
            for i in range(4):
                B[3 - i] = A[i]
            for i in range(4):
                C[3 - i] = B[i]
        """;
    try (Module own = device.loadModule(image("tir", text.getBytes(UTF_8), "twice"));
        Module none = device.loadModule(image("tir", TWO.getBytes(UTF_8), "two"))) {
      assertThat(own.effectsOf("twice")).isEqualTo(CallEffects.writing(Set.of(1)).asAllocation());
      assertThat(none.effectsOf("two")).isEqualTo(CallEffects.writing(Set.of(0)));
    }
  }

  @Test
  void symbolThatIsNotThere() {
    assertThat(message(image("tir", TWO.getBytes(UTF_8), "two", "three")))
        .isEqualTo(
            "ValueError: the image of kernels has no kernel 'three'\n  what there is: one, two");
  }

  @Test
  void textThatIsNotUtf8() {
    assertThat(message(image("tir", "# \u00fc\n".getBytes(ISO_8859_1), "one")))
        .isEqualTo(
            "ValueError: the text of an image of kernels is not UTF-8: expected a character at the"
                + " offset 2, but got the byte 0xfc");
  }

  @Test
  void textThatDoesNotParse() {
    String text = TWO.replace("T.float32(2)", "T.float32(2");
    assertThat(message(image("tir", text.getBytes(UTF_8), "one")))
        .isEqualTo(
            "ValueError: kernels of the program on cpu:0:11:1: expected ')', but got the end of the"
                + " line\n  11 | \n       ^");
  }

  @Test
  void kernelThatBreaksARule() {
    String text =
        TWO.replace("A[i] = T.float32(2)", "return i")
            .replace("def two(A: T.Buffer((4,), \"float32\"))", "def two() -> T.int64");
    assertThat(message(image("tir", text.getBytes(UTF_8), "one")))
        .isEqualTo("ValueError: the kernel two is not valid: it returns within a loop");
  }

  @Test
  void otherFormat() {
    assertThat(message(image("spirv", new byte[0], "one")))
        .isEqualTo("ValueError: cpu:0 takes kernels of the format tir, but got spirv");
  }
}
