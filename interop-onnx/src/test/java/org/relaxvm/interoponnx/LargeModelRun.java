package org.relaxvm.interoponnx;

import java.nio.file.Path;
import java.util.Arrays;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Loads a model, asks for one row of its weight, and prints the first two elements. */
final class LargeModelRun {
  private LargeModelRun() {}

  /**
   * Runs a model.
   *
   * @param args the file, and the row
   */
  public static void main(String[] args) {
    Tensor row = Tensor.of(new long[] {Long.parseLong(args[1])}, Shape.of(1));
    try (VirtualMachine vm =
            VirtualMachine.builder(Program.load(Path.of(args[0]))).device("cpu:0").build();
        Tensor result = vm.function("main").call(row).asTensor()) {
      float[] first = Arrays.copyOf(result.toFloatArray(), 2);
      System.out.println("result " + Arrays.toString(first));
    }
  }
}
