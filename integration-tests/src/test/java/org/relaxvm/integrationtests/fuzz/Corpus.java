package org.relaxvm.integrationtests.fuzz;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;
import org.relaxvm.api.io.Npz;
import org.relaxvm.integrationtests.ProjectRoot;
import org.relaxvm.integrationtests.differential.ProgramGenerator;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableReader;
import org.relaxvm.vmcore.executable.ExecutableWriter;
import org.relaxvm.vmcore.params.ParamsFile;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.RvmWriter;
import org.relaxvm.vmcore.text.FullText;

/** The undamaged files: the golden ones where they are at hand, and generated ones. */
final class Corpus {
  private static final Path GOLDEN = Path.of("../../shared/golden");
  private static final int MOST_BYTES = 16_384;
  private static final int GENERATED_PROGRAMS = 8;
  private static final long GENERATOR_SEED = 20;

  private final Path folder;
  private final List<Sample> samples = new ArrayList<>();

  private Corpus(Path folder) {
    this.folder = folder;
  }

  /** Makes the samples in a fixed order; the folder is for temporary files. */
  static List<Sample> make(Path folder) throws IOException {
    Corpus corpus = new Corpus(folder);
    corpus.addGolden();
    for (int i = 0; i < GENERATED_PROGRAMS; i++) {
      SplittableRandom random = new SplittableRandom(GENERATOR_SEED + i);
      corpus.addProgram("generated " + i, new ProgramGenerator(random).generate());
    }
    corpus.addArrays();
    Path digits = ProjectRoot.path().resolve("examples/digits/digits.rvm");
    corpus.samples.add(new Sample("digits.rvm", Format.PACKAGE, Files.readAllBytes(digits)));
    return corpus.samples;
  }

  private void addGolden() throws IOException {
    if (!Files.isDirectory(GOLDEN)) {
      System.out.println("no golden artefacts at " + GOLDEN.toAbsolutePath().normalize());
      return;
    }
    List<Path> files;
    try (Stream<Path> walk = Files.walk(GOLDEN, 2)) {
      files = walk.filter(Corpus::isSmallFile).sorted().toList();
    }
    for (Path file : files) {
      String name = GOLDEN.relativize(file).toString();
      if (name.endsWith("executable.bin")) {
        addProgram(name, ExecutableReader.read(file));
      } else if (name.endsWith("arg0.npy")) {
        samples.add(new Sample(name, Format.NPY, Files.readAllBytes(file)));
      }
    }
  }

  private static boolean isSmallFile(Path path) {
    try {
      return Files.isRegularFile(path) && Files.size(path) <= MOST_BYTES;
    } catch (IOException e) {
      return false;
    }
  }

  private void addProgram(String name, Executable executable) throws IOException {
    samples.add(new Sample(name, Format.EXECUTABLE, ExecutableWriter.write(executable)));
    byte[] text = FullText.print(executable).getBytes(StandardCharsets.UTF_8);
    samples.add(new Sample(name, Format.TEXT, text));
    addFile(name, Format.PACKAGE, file -> RvmWriter.write(Program.of(executable), file));
  }

  private void addArrays() throws IOException {
    Tensor matrix = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3));
    Map<String, Tensor> both =
        Map.of("matrix", matrix, "row", Tensor.of(new long[200], Shape.of(200)));
    addFile("matrix", Format.NPY, file -> Npy.write(file, matrix));
    addFile("scalar", Format.NPY, file -> Npy.write(file, Tensor.scalar(1L)));
    addFile("stored", Format.NPZ, file -> Npz.write(file, both));
    addFile("deflated", Format.NPZ, file -> Npz.writeCompressed(file, both));
    addFile("parameters", Format.PARAMS, file -> ParamsFile.write(file, both));
  }

  private void addFile(String name, Format format, FileWriter writer) throws IOException {
    Path file = folder.resolve("sample" + format.extension());
    writer.write(file);
    samples.add(new Sample(name, format, Files.readAllBytes(file)));
    Files.delete(file);
  }

  /** Writes a sample's file. */
  @FunctionalInterface
  private interface FileWriter {
    void write(Path file) throws IOException;
  }
}
