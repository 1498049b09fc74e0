package org.relaxvm.vmcore.interp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** HotSpot compiles no method of 8,000 bytes of bytecode or more. */
class InterpreterSizeTest {
  private static final int LARGEST_COMPILED = 8000;

  @Test
  void dispatchMethodIsSmallEnoughToBeCompiled() throws IOException {
    try (InputStream file =
        Objects.requireNonNull(Interpreter.class.getResourceAsStream("Interpreter.class"))) {
      ClassModel model = ClassFile.of().parse(file.readAllBytes());
      int largest = 0;
      for (MethodModel method : model.methods()) {
        largest =
            Math.max(
                largest, method.code().map(code -> ((CodeAttribute) code).codeLength()).orElse(0));
      }
      assertThat(largest).isBetween(200, LARGEST_COMPILED);
    }
  }
}
