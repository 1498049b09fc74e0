package org.relaxvm.benchmarks.models;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;

/**
 * A model of {@link ModelComparison} as files.
 *
 * @param program the compiled program, {@code .rvm}
 * @param onnx an ONNX file of the same graph and the same weights
 * @param sizes the extents of the symbolic axes of an input, in the order of its axes, of the input
 *     with most of them
 */
public record ModelFiles(String name, Path program, Path onnx, List<Long> sizes) {
  public ModelFiles {
    sizes = List.copyOf(sizes);
  }

  /**
   * Writes models into a folder, which is created if it does not exist.
   *
   * @param names parts of the names of models; all models if empty
   */
  public static List<ModelFiles> write(Path folder, List<String> names) throws IOException {
    Files.createDirectories(folder);
    List<ModelFiles> files = new ArrayList<>();
    for (ModelCase call : ModelCase.matching(names)) {
      files.add(write(folder, call, Compiler.compile(RelaxLayers.module(call.model()))));
    }
    return files;
  }

  private static ModelFiles write(Path folder, ModelCase call, Program program) throws IOException {
    String name = call.name().replaceAll("[^a-z0-9]+", "-");
    Path rvm = folder.resolve(name + ".rvm");
    Path onnx = folder.resolve(name + ".onnx");
    try (RelaxRun run = new RelaxRun(program, call.inputs(), 1)) {
      List<Integer> ranks = run.outputs().stream().map(output -> output.shape().rank()).toList();
      RvmWriter.write(program, rvm);
      Files.write(onnx, OnnxLayers.file(call.model(), ranks));
    }
    return new ModelFiles(call.name(), rvm, onnx, sizes(call));
  }

  private static List<Long> sizes(ModelCase call) {
    List<Long> most = List.of();
    for (int i = 0; i < call.inputs().size(); i++) {
      List<Object> dims = call.model().inputs().get(i).dims();
      List<Long> sizes = new ArrayList<>();
      for (int axis = 0; axis < dims.size(); axis++) {
        if (dims.get(axis) instanceof String) {
          sizes.add(call.inputs().get(i).shape().dim(axis));
        }
      }
      most = sizes.size() > most.size() ? sizes : most;
    }
    return most.isEmpty() ? List.of(1L) : most;
  }
}
