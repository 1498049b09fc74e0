package com.example;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

public class Digits {
  public static void main(String[] args) {
    Program program = Program.load(Path.of(args[0]));
    try (var vm = VirtualMachine.builder(program).device(args[1]).build();
        Tensor image = Npy.read(Path.of(args[2]));
        var results = vm.function("main").call(Map.of("image", image))) {
      System.out.println(Arrays.toString(results.tensor("output").toFloatArray()));
    }
  }
}
