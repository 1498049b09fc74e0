package org.relaxvm.vmcore.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.golden.Goldens;

/** The Java source compiles and builds the same bytes. */
class AsJavaTest {
  @TempDir Path classes;

  private byte[] compiledAndBuilt(Executable executable, String className)
      throws ReflectiveOperationException, IOException {
    String source = AsJava.asJava(executable, className);
    JavaCompiler compiler =
        Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "tests run on a JDK");
    URI uri = URI.create("string:///" + className.replace('.', '/') + ".java");
    JavaFileObject file =
        new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source;
          }
        };
    StringWriter messages = new StringWriter();
    List<String> options =
        List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
    boolean compiled = compiler.getTask(messages, null, null, options, null, List.of(file)).call();
    assertThat(compiled).as(messages.toString()).isTrue();
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {classes.toUri().toURL()}, AsJavaTest.class.getClassLoader())) {
      Object built = loader.loadClass(className).getMethod("build").invoke(null);
      return ExecutableWriter.write((Executable) built);
    }
  }

  @TestFactory
  Stream<DynamicTest> everyGoldenIsRebuilt() {
    return Goldens.forEach(
        golden ->
            assertThat(compiledAndBuilt(golden.executable(), "org.example.Rebuilt"))
                .isEqualTo(golden.bytes()));
  }

  @Test
  void everyKindOfConstantIsRebuilt() throws ReflectiveOperationException, IOException {
    Executable executable =
        Assembler.parse(
            """
            constants:
              c[0] = 36028797018963968
              c[1] = -0.0
              c[2] = float bits 0x7ff8000000000001
              c[3] = "quotes \\" \\\\ \\n \\u0000 and 日本語"
              c[4] = shape[]
              c[5] = shape[-1, 9223372036854775807]
              c[6] = dtype int8x4
              c[7] = tensor float32[3] = [1.0, -0.0, 1e-45] scope "global.texture"
              c[8] = tensor float32[2] = [nan, inf]
              c[9] = tensor float64[] = [1.5]
              c[10] = tensor int64[1] = [-9223372036854775808]
              c[11] = tensor int32[1] = [-2147483648]
              c[12] = tensor int8[2] = [-128, 127]
              c[13] = tensor bool[2] = [true, false]
              c[14] = tensor uint16[2] = [65535, 0]
              c[15] = tensor float32[0] = []
              c[16] = tensor float32[2, 0] = []
            @main(x, "odd name"):
              call f in: %0, %vm, %void, c[3], i-1, f[native] dst: %2
              If %2, 2
              goto 1
              ret %2
            @f packed_func;
            @native num_inputs=2 regs=7 vm_tir_func;
            """);
    assertThat(compiledAndBuilt(executable, "Kinds")).isEqualTo(ExecutableWriter.write(executable));
  }

  @Test
  void programsBeyondTheLimitsOfAClassAreRebuilt()
      throws ReflectiveOperationException, IOException {
    float[] values = new float[60_000];
    Random random = new Random(7);
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat();
    }
    StringBuilder text = new StringBuilder("constants:\n c[0] = ");
    LiteralPrinter.print(text, Tensor.of(values, Shape.of(values.length)));
    text.append("\n c[1] = \"").append("é".repeat(70_000)).append("\"\n");
    text.append("@main(x):\n");
    for (int i = 1; i < 12_000; i++) {
      text.append(" call vm.builtin.copy in: %").append(i - 1);
      text.append(", i").append(1_000_000 + i).append(" dst: %").append(i).append('\n');
    }
    text.append(" call vm.builtin.make_tuple in: %0").append(", %1".repeat(9_000)).append('\n');
    text.append(" ret %0\n");
    Executable executable = Assembler.parse(text.toString());
    assertThat(executable.constants().getFirst())
        .extracting(tensor -> ((Tensor) tensor).dtype())
        .isEqualTo(DType.FLOAT32);
    assertThat(compiledAndBuilt(executable, "Large")).isEqualTo(ExecutableWriter.write(executable));
  }

  @Test
  void nameMustBeAJavaName() {
    assertThatThrownBy(() -> AsJava.asJava(Assembler.parse(""), "a.1b"))
        .isInstanceOf(CallException.class)
        .hasMessage("'a.1b' is no name of a Java class, such as Mlp or org.example.Mlp");
  }
}
