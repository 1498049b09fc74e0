package org.relaxvm.integrationtests.command;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.relaxvm.api.DType;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.interoptvm.device.DeviceCode;
import org.relaxvm.interoptvm.device.DeviceModule;
import org.relaxvm.interoptvm.device.DeviceModuleWriter;
import org.relaxvm.interoptvm.device.KernelInfo;
import org.relaxvm.interoptvm.library.LibraryBin;
import org.relaxvm.interoptvm.library.ModuleNode;
import org.relaxvm.vmcore.executable.ExecBuilder;
import org.relaxvm.vmcore.executable.Executable;
import org.relaxvm.vmcore.executable.ExecutableWriter;

/**
 * A small library as Apache TVM exports them, compiled by the test: {@code main(x)} calls the
 * machine code {@code twice}. Being loaded, it writes the file {@link #marker}.
 */
record CompiledModel(Path library, Path marker, byte[] executable) {
  private static final String SOURCE =
      """
      #include <stdint.h>
      #include <stdio.h>
      typedef struct { int32_t type; uint32_t padding; int64_t value; } Any;
      const unsigned char __tvm_ffi__library_bin[] = {%s};
      __attribute__((weak)) int (*__TVMFFIEnvModLookupFromImports)(void*, const char*, void**) = 0;
      int __tvm_ffi_twice(void* self, const Any* args, int32_t n, Any* result) {
        result->type = 1;
        result->value = 2 * args[0].value;
        return 0;
      }
      __attribute__((constructor)) static void loaded(void) {
        FILE* marker = fopen("%s", "w");
        if (marker) fclose(marker);
      }
      """;

  /** Compiles the library; without a compiler the test is skipped, and says so. */
  static CompiledModel in(Path folder, boolean withKernels) throws Exception {
    byte[] executable = ExecutableWriter.write(program());
    List<ModuleNode> modules = new ArrayList<>();
    modules.add(node(ModuleNode.EXECUTABLE, executable, List.of(1)));
    modules.add(node(ModuleNode.LIBRARY, new byte[0], withKernels ? List.of(2) : List.of()));
    if (withKernels) {
      modules.add(node("cuda", DeviceModuleWriter.write(kernels()), List.of()));
    }
    Path marker = folder.resolve("loaded");
    Path source = folder.resolve("model.c");
    StringBuilder bytes = new StringBuilder();
    for (byte b : new LibraryBin(modules).toBytes()) {
      bytes.append(b & 0xFF).append(',');
    }
    Files.writeString(source, SOURCE.formatted(bytes, marker));
    Path library = folder.resolve("model.so");
    compile(source, library);
    return new CompiledModel(library, marker, executable);
  }

  private static Executable program() {
    ExecBuilder builder = new ExecBuilder();
    builder.function("main", List.of("x"), f -> f.ret(f.call("twice", f.param(0))));
    return builder.get();
  }

  private static DeviceModule kernels() {
    KernelInfo kernel =
        new KernelInfo(
            "twice_kernel",
            List.of(KernelEntry.HANDLE, KernelEntry.HANDLE, DType.INT64),
            List.of("blockIdx.x", "threadIdx.x", "tirx.use_dyn_shared_memory"),
            List.of(0, 0, 0));
    LinkedHashMap<String, KernelInfo> kernels = new LinkedHashMap<>();
    kernels.put(kernel.name(), kernel);
    MemorySegment code = MemorySegment.ofArray("//PTX".getBytes(UTF_8));
    return new DeviceModule("cuda", "ptx", kernels, new DeviceCode.Blob(code), true);
  }

  private static ModuleNode node(String kind, byte[] bytes, List<Integer> children) {
    return new ModuleNode(kind, MemorySegment.ofArray(bytes), children);
  }

  private static void compile(Path source, Path library) throws IOException, InterruptedException {
    String compiler =
        Stream.of("cc", "gcc", "clang").filter(CompiledModel::isOnPath).findFirst().orElse("");
    if (compiler.isEmpty() && System.getenv("RELAXVM_REQUIRE_C_COMPILER") != null) {
      throw new AssertionError("no C compiler (cc, gcc, clang) on PATH, but one is required");
    }
    if (compiler.isEmpty()) {
      System.out.println("skipped: no C compiler (cc, gcc, clang) on PATH");
    }
    Assumptions.assumeFalse(compiler.isEmpty(), "no C compiler on PATH");
    Process process =
        new ProcessBuilder(
                compiler, "-shared", "-fPIC", "-o", library.toString(), source.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(output);
    }
  }

  private static boolean isOnPath(String program) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
