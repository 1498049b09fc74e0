package org.relaxvm.backendcuda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.LaunchTag;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.driver.Axes;
import org.relaxvm.backendcuda.driver.FunctionReport;
import org.relaxvm.backendcuda.driver.HandleKind;
import org.relaxvm.backendcuda.driver.Launch;
import org.relaxvm.backendcuda.kernels.CompileException;
import org.relaxvm.backendcuda.kernels.PreparedKernels;

/** Kernels of other compilers: how they are loaded and launched, and what is refused. */
class CudaModuleTest {
  private static final String FAILED_SOURCES = "relaxvm.cuda.failedSources";

  private final FakeBackend fake = new FakeBackend();
  private Backend backend;
  private CudaDevice device;
  private NaiveAllocator allocator;
  private Stream stream;

  @TempDir Path folder;

  @BeforeEach
  void open() {
    backend = fake.open();
    device = (CudaDevice) backend.devices().getFirst();
    allocator = new NaiveAllocator(device);
    stream = device.openStream();
  }

  @AfterEach
  void nothingIsLeftOver() {
    stream.close();
    allocator.close();
    assertThat(device.liveBytes()).isZero();
    backend.close();
    assertThat(fake.cuda.liveHandles()).isEmpty();
    System.clearProperty(FAILED_SOURCES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"cuda-c", "ptx", "cubin", "fatbin"})
  void eachFormatIsLoadedAtTheFirstCall(String format) {
    ModuleImage image = NegatedKernel.image(format, NegatedKernel.SOURCE, NegatedKernel.entry());
    try (Module module = device.loadModule(image);
        Tensor x = there(Tensor.of(new float[] {1, -2, 3}, Shape.of(3)))) {
      assertThat(fake.cuda.images).isEmpty();
      call(module, NegatedKernel.NAME, x, x);
      call(module, NegatedKernel.NAME, x, x);
      call(module, NegatedKernel.NAME, x, x);
      assertThat(x.toHost().toFloatArray()).containsExactly(-1, 2, -3);
      assertThat(fake.cuda.images).hasSize(1);
      assertThat(fake.cuda.images.getFirst()).asString(UTF_8).isEqualTo(NegatedKernel.SOURCE);
      assertThat(fake.compiler.compiled)
          .isEqualTo(format.equals("cuda-c") ? List.of("negated for sm_90") : List.of());
    }
  }

  @Test
  void aTensorThatStartsWithinItsBlockIsGivenAsItsAddress() {
    try (Module module = device.loadModule(NegatedKernel.image());
        Tensor block = there(Tensor.of(new float[] {0, 1, 2, 3, 0}, Shape.of(5)));
        Tensor part = block.stridedView(Shape.of(3), new long[] {1}, 1)) {
      call(module, NegatedKernel.NAME, part, part);
      assertThat(block.toHost().toFloatArray()).containsExactly(0, -1, -2, -3, 0);
    }
  }

  @Test
  void allKindsOfArgumentsAndSizesAreRead() {
    KernelEntry entry =
        new KernelEntry(
            "pack",
            List.of(
                KernelEntry.HANDLE,
                DType.INT32,
                DType.INT64,
                DType.UINT32,
                DType.FLOAT64,
                DType.FLOAT32,
                KernelEntry.HANDLE),
            List.of(
                LaunchTag.BLOCK_X,
                LaunchTag.THREAD_X,
                LaunchTag.BLOCK_Y,
                LaunchTag.THREAD_Z,
                LaunchTag.CLUSTER_X,
                LaunchTag.PREFERRED_CLUSTER_X,
                LaunchTag.PROGRAMMATIC_DEPENDENT_LAUNCH,
                LaunchTag.COOPERATIVE_LAUNCH,
                LaunchTag.DYNAMIC_SHARED_MEMORY),
            Set.of(6),
            false);
    byte[] map = new byte[KernelEntry.TENSOR_MAP_BYTES];
    map[5] = 5;
    try (Module module = device.loadModule(NegatedKernel.image("cubin", "code", entry))) {
      call(
          module,
          "pack",
          null,
          (1L << 32) - 7,
          (1L << 40) + 1,
          -1L,
          0.1,
          0.1,
          map,
          4,
          128,
          0,
          2,
          2,
          4,
          1000);
    }
    Launch launch = fake.cuda.launches.getLast();
    assertThat(launch.grid()).isEqualTo(new Axes(4, 1, 1));
    assertThat(launch.block()).isEqualTo(new Axes(128, 1, 2));
    assertThat(launch.cluster()).isEqualTo(new Axes(2, 1, 1));
    assertThat(launch.preferredCluster()).isEqualTo(new Axes(4, 1, 1));
    assertThat(launch.dynamicSharedBytes()).isEqualTo(1000);
    assertThat(launch.overlapsPrevious()).isTrue();
    assertThat(launch.cooperative()).isTrue();
    ByteBuffer bytes =
        ByteBuffer.wrap(fake.cuda.arguments.getLast()).order(ByteOrder.nativeOrder());
    assertThat(bytes.getLong(0)).isZero();
    assertThat(bytes.getInt(8)).isEqualTo(-7);
    assertThat(bytes.getLong(16)).isEqualTo((1L << 40) + 1);
    assertThat(bytes.getInt(24)).isEqualTo(-1);
    assertThat(bytes.getDouble(32)).isEqualTo(0.1);
    assertThat(bytes.getFloat(40)).isEqualTo(0.1f);
    assertThat(bytes.get(64 + 5)).isEqualTo((byte) 5);
    assertThat(bytes.remaining()).isEqualTo(64 + 128);
  }

  private static KernelEntry withSharedMemory() {
    return new KernelEntry(
        "k", List.of(), List.of(LaunchTag.THREAD_X, LaunchTag.DYNAMIC_SHARED_MEMORY));
  }

  @Test
  void sharedMemoryIsAllowedWhenMoreIsAskedForAndOnlyThen() {
    fake.cuda.functionReport = new FunctionReport(1024, 32, 1024, 0);
    try (Module module = device.loadModule(NegatedKernel.image("ptx", "p", withSharedMemory()))) {
      for (int kibibytes : new int[] {16, 47, 48, 100, 64, 100, 226}) {
        call(module, "k", 128, kibibytes << 10);
      }
      assertThat(fake.cuda.calls.stream().filter(call -> call.startsWith("allow")))
          .containsExactly(
              "allowDynamicShared " + (48 << 10),
              "allowDynamicShared " + (100 << 10),
              "allowDynamicShared " + (226 << 10));
      assertThatThrownBy(() -> call(module, "k", 128, 227 << 10))
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "cuda:0 cannot launch the kernel k with grid=(1,1,1), block=(128,1,1), shared=232448:"
                  + " beside the 1024 bytes of shared memory that it has by itself there are at"
                  + " most 231424\n  what to do: compile the program for the limits of this device,"
                  + " which 'relaxvm doctor' shows");
    }
  }

  @Test
  void sharedMemoryThatTheDriverDoesNotAllowIsToldOf() {
    fake.cuda.fail("allowDynamicShared", "cuFuncSetAttribute", 1);
    try (Module module = device.loadModule(NegatedKernel.image("ptx", "p", withSharedMemory()))) {
      assertThatThrownBy(() -> call(module, "k", 128, 65536))
          .hasMessage(
              "cuda:0 cannot allow the kernel k 65536 bytes of shared memory: cuFuncSetAttribute"
                  + " failed with CUDA_ERROR_INVALID_VALUE (1)\n  what to do: compare with the"
                  + " limits of the device, which 'relaxvm doctor' shows");
    }
  }

  @Test
  void sourceThatTheCompilerRefusesIsShownWithItsLogAndKept() throws IOException {
    System.setProperty(FAILED_SOURCES, folder.toString());
    fake.compiler.refusal =
        new CompileException(
            "NVRTC 12.6: NVRTC_ERROR_COMPILATION",
            "wrong.cu(1): error: it is wrong\nwrong.cu(2): so is this\n");
    String source = "extern \"C\" __global__ void wrong(float* x { no CUDA C }";
    KernelEntry entry = new KernelEntry("wrong", List.of(KernelEntry.HANDLE), List.of());
    try (Module module = device.loadModule(NegatedKernel.image("cuda-c", source, entry));
        Tensor x = there(Tensor.zeros(DType.FLOAT32, Shape.of(3)))) {
      Throwable refused = catchThrowable(() -> call(module, "wrong", x));
      Path kept;
      try (var files = Files.list(folder)) {
        kept = files.findFirst().orElseThrow();
      }
      assertThat(kept).hasContent(source);
      assertThat(kept.toString()).endsWith(".cu");
      assertThat(refused)
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "cuda:0 cannot build the program of wrong: NVRTC 12.6: NVRTC_ERROR_COMPILATION"
                  + "\n  compiler: wrong.cu(1): error: it is wrong\n    wrong.cu(2): so is this"
                  + "\n  source: "
                  + kept);
      assertThat(((BackendException) refused).kind()).isEqualTo(ErrorKind.INTERNAL);
    }
  }

  @Test
  void withoutACompilerOnlySourceIsRefused() {
    String absence =
        "NVRTC, the library that compiles CUDA C, was not found\n  libnvrtc.so.12: no such file\n"
            + "  what to do: install it";
    try (Backend without = fake.withoutCompiler(absence).open()) {
      CudaDevice first = (CudaDevice) without.devices().getFirst();
      try (Module module = first.loadModule(NegatedKernel.image())) {
        assertThatThrownBy(() -> ((Preparable) module.find("negated").orElseThrow()).prepare())
            .isInstanceOf(BackendException.class)
            .hasMessage("cuda:0 cannot build the program of negated: " + absence);
      }
      ModuleImage ptx = NegatedKernel.image("ptx", "ptx", NegatedKernel.entry());
      try (Module module = first.loadModule(ptx)) {
        ((Preparable) module.find("negated").orElseThrow()).prepare();
      }
    }
  }

  @Test
  void withoutACompilerWhatWasCompiledBeforeIsLoadedAndNotKept() {
    fake.compiler.prepared = Optional.of(PreparedKernels.LIMITS);
    try (Module module = device.loadModule(NegatedKernel.image())) {
      ((Preparable) module.find("negated").orElseThrow()).prepare();
    }
    fake.compiler.missing = "there is no compiler\n  what to do: install one";
    try (Module module = device.loadModule(NegatedKernel.image())) {
      assertThatThrownBy(() -> ((Preparable) module.find("negated").orElseThrow()).prepare())
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "cuda:0 cannot build the program of negated: there is no compiler\n  what to do:"
                  + " install one");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "200; CUDA_ERROR_INVALID_IMAGE; see whether the file is whole, and of the format that it"
            + " says",
        "209; CUDA_ERROR_NO_BINARY_FOR_GPU; compile the program for sm_90, or give it as PTX or"
            + " CUDA C, which fit later devices, too",
        "218; CUDA_ERROR_INVALID_PTX; compile the program for compute_90 or an older architecture",
        "221; CUDA_ERROR_JIT_COMPILER_NOT_FOUND; install the driver's library"
            + " libnvidia-ptxjitcompiler, or give the program as a cubin",
        "222; CUDA_ERROR_UNSUPPORTED_PTX_VERSION; install a newer driver of NVIDIA, or compile the"
            + " program with an older release of CUDA",
      })
  void codeThatTheDriverDoesNotTakeIsToldOf(int code, String name, String whatToDo) {
    fake.cuda.fail("loadModule", "cuModuleLoadDataEx", code, "ptxas one\nptxas two");
    ModuleImage image = NegatedKernel.image("ptx", "wrong", NegatedKernel.entry());
    try (Module module = device.loadModule(image)) {
      assertThatThrownBy(() -> ((Preparable) module.find("negated").orElseThrow()).prepare())
          .isInstanceOfSatisfying(
              BackendException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INTERNAL))
          .hasMessage(
              "cuda:0 cannot load the program of negated, 5 bytes: cuModuleLoadDataEx failed with "
                  + name
                  + " ("
                  + code
                  + ")\n  driver: ptxas one\n    ptxas two\n  what to do: "
                  + whatToDo);
    }
  }

  @Test
  void preparingLoadsAheadOfTheFirstCall() {
    try (Module module = device.loadModule(NegatedKernel.image())) {
      assertThat(fake.cuda.liveHandles()).doesNotContainKey(HandleKind.MODULE);
      Preparable function = (Preparable) module.find(NegatedKernel.NAME).orElseThrow();
      function.prepare();
      function.prepare();
      assertThat(fake.cuda.liveHandles()).containsEntry(HandleKind.MODULE, 1L);
    }
    assertThat(fake.cuda.liveHandles()).doesNotContainKey(HandleKind.MODULE);
  }

  @Test
  void aClosedModuleIsNotCalled() {
    Module module = device.loadModule(NegatedKernel.image());
    try (Tensor x = there(Tensor.zeros(DType.FLOAT32, Shape.of(3)))) {
      call(module, NegatedKernel.NAME, x, x);
      module.close();
      assertThatThrownBy(() -> call(module, NegatedKernel.NAME, x, x))
          .hasMessage(
              "the program of kernel negated on cuda:0 is closed: it cannot be launched any more");
    }
    Module unused = device.loadModule(NegatedKernel.image());
    unused.close();
    assertThatThrownBy(() -> ((Preparable) unused.find(NegatedKernel.NAME).orElseThrow()).prepare())
        .hasMessage("the module of kernel negated on cuda:0 is closed");
  }

  @Test
  void imagesThatCannotBeLoadedAreRefused() {
    MemorySegment bytes = MemorySegment.ofArray(new byte[] {'k', (byte) 0xFF});
    assertThatThrownBy(() -> device.loadModule(new ModuleImage("spirv", List.of(), bytes)).close())
        .hasMessage(
            "cuda:0 takes no modules of format 'spirv', only [cubin, cuda-c, fatbin, ptx, tir]");
    assertThatThrownBy(() -> device.loadModule(new ModuleImage("ptx", List.of("k"), bytes)).close())
        .hasMessage(
            "cuda:0 cannot load a module of format ptx: it does not say which parameters these"
                + " kernels have: [k]\n  what to do: give the image an entry for each of its"
                + " symbols");
    KernelEntry entry = new KernelEntry("k", List.of(), List.of());
    assertThatThrownBy(
            () ->
                device
                    .loadModule(new ModuleImage("cuda-c", List.of("k"), bytes, List.of(entry)))
                    .close())
        .hasMessage("cuda:0 cannot load a module of format cuda-c: its text is not UTF-8");
  }

  @Test
  void aKernelThatTheProgramLacksIsNamed() {
    fake.cuda.missing.add("other");
    KernelEntry entry = new KernelEntry("other", List.of(), List.of());
    try (Module module = device.loadModule(NegatedKernel.image("cubin", "c", entry))) {
      assertThatThrownBy(() -> ((Preparable) module.find("other").orElseThrow()).prepare())
          .hasMessage(
              "a program of cuda:0 has no kernel 'other': cuModuleGetFunction failed with"
                  + " CUDA_ERROR_NOT_FOUND (500)");
    }
  }

  private Tensor there(Tensor host) {
    return DeviceTensors.copyTo(host, allocator, stream);
  }

  /** A call from outside of any VM, which waits. */
  private static void call(Module module, String name, @Nullable Object... args) {
    module.find(name).orElseThrow().invoke(args).close();
  }
}
