package org.relaxvm.integrationtests.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.io.Npy;
import org.relaxvm.api.io.Npz;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.vmcore.params.ParamsFile;
import org.relaxvm.vmcore.program.Program;

/**
 * Reads damaged files from disk and uses what they hold. Errors of ours are caught here, anything
 * else is a failure and passes.
 */
final class FileTarget {
  private static final long MOST_ARCHIVE_BYTES = 1 << 24;

  private final Path folder;
  private final ProgramTarget programs;
  private long files;

  FileTarget(Path folder, BackendRegistry registry) {
    this.folder = folder;
    this.programs = new ProgramTarget(registry);
  }

  Outcome run(Sample damaged) {
    // A new name each time: earlier files may still be mapped.
    Path file = folder.resolve("case" + files++ + damaged.format().extension());
    try {
      Files.write(file, damaged.bytes());
      return read(file, damaged);
    } catch (RelaxException e) {
      requireUseful(e);
      return Outcome.REFUSED_BY_READER;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      file.toFile().delete();
    }
  }

  private Outcome read(Path file, Sample damaged) {
    return switch (damaged.format()) {
      case EXECUTABLE, PACKAGE, TEXT -> programs.run(Program.load(file));
      case NPY -> {
        try (Tensor tensor = Npy.read(file)) {
          check(tensor, damaged.bytes().length);
        }
        yield Outcome.READ;
      }
      case NPZ -> checkAll(Npz.read(file, MOST_ARCHIVE_BYTES), MOST_ARCHIVE_BYTES);
      case PARAMS -> checkAll(ParamsFile.read(file), damaged.bytes().length);
    };
  }

  private static Outcome checkAll(Map<String, Tensor> tensors, long mostBytes) {
    tensors.values().forEach(tensor -> check(tensor, mostBytes));
    tensors.values().forEach(Tensor::close);
    return Outcome.READ;
  }

  private static void check(Tensor tensor, long mostBytes) {
    if (tensor.byteSize() > mostBytes || tensor.toString().isEmpty()) {
      throw new IllegalStateException(tensor + " is larger than the file that held it");
    }
  }

  static void requireUseful(RelaxException error) {
    if (error.getMessage().isBlank() || error.summary().isBlank()) {
      throw new IllegalStateException("an error without a text", error);
    }
  }
}
