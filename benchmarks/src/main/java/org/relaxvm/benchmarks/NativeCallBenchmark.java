package org.relaxvm.benchmarks;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.interoptvm.load.BoundLibrary;
import org.relaxvm.interoptvm.load.Convention;
import org.relaxvm.interoptvm.load.Expected;
import org.relaxvm.vmcore.program.HostLinks;

/**
 * What a call of an empty native kernel with three tensors costs, beside a bare call of the same
 * function with arguments that were prepared before. Needs a C compiler.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class NativeCallBenchmark {
  private static final String SOURCE =
      """
      int __tvm_ffi_empty(void* self, const void* args, int n, void* result) { return 0; }
      """;

  @SuppressWarnings("restricted") // the signature of the function below
  private static final MethodHandle BARE =
      Linker.nativeLinker()
          .downcallHandle(
              FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));

  private final CallResult result = new CallResult();
  private final MemorySegment cells = Arena.ofAuto().allocate(64, 16);
  private MemorySegment address = MemorySegment.NULL;
  private PackedFunc empty = (args, out) -> {};
  private CallArgs args = CallArgs.of();

  /** Compiles and loads the kernel. */
  @SuppressWarnings("restricted") // a library that was just compiled
  @Setup(Level.Trial)
  public void open() throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("relaxvm-bench");
    Path source = Files.writeString(folder.resolve("empty.c"), SOURCE);
    Path library = folder.resolve("empty.so");
    int code =
        new ProcessBuilder("cc", "-O2", "-shared", "-fPIC", "-o", "" + library, "" + source)
            .inheritIO()
            .start()
            .waitFor();
    if (code != 0) {
      throw new IllegalStateException("cc failed: this benchmark needs a C compiler");
    }
    empty =
        BoundLibrary.open(
                library,
                Convention.FROM_0_21,
                Set.of("empty"),
                Expected.NOTHING,
                new HostLinks(List.of(), name -> Optional.empty()))
            .find("empty")
            .orElseThrow();
    address =
        SymbolLookup.libraryLookup(library, Arena.ofAuto()).find("__tvm_ffi_empty").orElseThrow();
    for (Path path : List.of(source, library, folder)) {
      // The process keeps what it has mapped.
      Files.delete(path);
    }
    Tensor tensor = Tensor.zeros(DType.FLOAT32, Shape.of(4, 4));
    args = CallArgs.of(tensor, tensor.alias(), tensor.alias());
  }

  /** The downcall alone. */
  @Benchmark
  public int bare() throws Throwable {
    long at = cells.address();
    return (int) BARE.invokeExact(address, 0L, at, 3, at + 48);
  }

  /** The packed function. */
  @Benchmark
  public void packed() {
    empty.call(args, result);
  }
}
