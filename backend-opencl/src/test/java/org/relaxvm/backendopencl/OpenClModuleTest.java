package org.relaxvm.backendopencl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jocl.CL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
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
import org.relaxvm.backendopencl.driver.HandleKind;
import org.relaxvm.backendopencl.program.OpenClKernel;
import org.relaxvm.backendopencl.program.OpenClProgram;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;

/** Kernels in OpenCL C: what they are given, how they are launched, and what is refused. */
@NeedsOpenCl
class OpenClModuleTest {
  private static final String FAILED_SOURCES = "relaxvm.opencl.failedSources";

  private final FaultyDriver faults = new FaultyDriver();
  private Backend backend;
  private OpenClDevice device;
  private NaiveAllocator allocator;
  private Stream stream;

  @TempDir Path folder;

  @BeforeEach
  void open() {
    backend = new OpenClBackendProvider(faults::driver).open();
    device = (OpenClDevice) backend.devices().getFirst();
    allocator = new NaiveAllocator(device);
    stream = device.openStream();
  }

  @AfterEach
  void nothingIsLeftOver() {
    stream.close();
    allocator.close();
    assertThat(device.liveBytes()).isZero();
    backend.close();
    assertThat(faults.liveHandles()).isEmpty();
    System.clearProperty(FAILED_SOURCES);
  }

  @Test
  void aKernelGetsScalarsOfAllKindsAsTheyAre() {
    String source =
        """
        #pragma OPENCL EXTENSION cl_khr_fp64 : enable
        __kernel void pack(__global double* out, long a, int b, uint c, double d, float e) {
          out[0] = (double) a; out[1] = b; out[2] = c; out[3] = d; out[4] = e;
        }
        """;
    KernelEntry entry =
        new KernelEntry(
            "pack",
            List.of(
                KernelEntry.HANDLE,
                DType.INT64,
                DType.INT32,
                DType.UINT32,
                DType.FLOAT64,
                DType.FLOAT32),
            List.of());
    try (Module module = device.loadModule(NegatedKernel.image(source, entry));
        Tensor out = there(Tensor.zeros(DType.FLOAT64, Shape.of(5)))) {
      call(module, "pack", out, (1L << 40) + 1, (1L << 32) - 7, -1L, 0.1, 0.1);
      assertThat(out.toHost().toDoubleArray())
          .containsExactly((1L << 40) + 1, -7, 4294967295.0, 0.1, 0.1f);
    }
  }

  @Test
  void kernelsOfOtherCompilersMayHaveLongNames() {
    String common = "fused" + "_multiply_add".repeat(25);
    String source =
        """
        __kernel void %1$s_one(__global int* out) { out[0] += 1; }
        __kernel void %1$s_two(__global int* out) { out[0] += 20; }
        """
            .formatted(common);
    List<KernelEntry> entries =
        List.of(
            new KernelEntry(common + "_one", List.of(KernelEntry.HANDLE), List.of()),
            new KernelEntry(common + "_two", List.of(KernelEntry.HANDLE), List.of()));
    ModuleImage image =
        new ModuleImage(
            OpenClModule.SOURCE,
            entries.stream().map(KernelEntry::name).toList(),
            MemorySegment.ofArray(source.getBytes(UTF_8)),
            entries);
    try (Module module = device.loadModule(image);
        Tensor out = there(Tensor.zeros(DType.INT32, Shape.of(1)))) {
      call(module, common + "_one", out);
      call(module, common + "_two", out);
      assertThat(out.toHost().toLongArray()).containsExactly(21);
    }
  }

  @Test
  void gridTimesBlockIsTheNumberOfWorkItems() {
    String source =
        """
        __kernel void where(__global int* out) {
          int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
          out[i] = get_local_id(0) + 10 * get_local_id(1) + 100 * get_group_id(0)
              + 1000 * get_group_id(1) + 10000 * get_work_dim();
        }
        """;
    KernelEntry entry =
        new KernelEntry(
            "where",
            List.of(KernelEntry.HANDLE),
            List.of(LaunchTag.BLOCK_X, LaunchTag.THREAD_X, LaunchTag.BLOCK_Y, LaunchTag.THREAD_Y));
    try (Module module = device.loadModule(NegatedKernel.image(source, entry));
        Tensor out = there(Tensor.zeros(DType.INT32, Shape.of(8)))) {
      call(module, "where", out, 2, 2, 2, 1);
      assertThat(out.toHost().toLongArray())
          .containsExactly(20000, 20001, 20100, 20101, 21000, 21001, 21100, 21101);
    }
  }

  @Test
  void aTensorThatStartsWithinItsBlockIsAPartOfIt() {
    int skipped = (int) (device.properties().minAlignment() / Float.BYTES);
    float[] values = new float[skipped + 3];
    values[skipped] = 1;
    values[skipped + 2] = 3;
    try (Module module = device.loadModule(NegatedKernel.module().image());
        Tensor block = there(Tensor.of(values, Shape.of(values.length)));
        Tensor part = block.stridedView(Shape.of(3), new long[] {1}, skipped);
        Tensor out = there(Tensor.zeros(DType.FLOAT32, Shape.of(3)))) {
      call(module, NegatedKernel.NAME, part, out);
      call(module, NegatedKernel.NAME, out, part);
      assertThat(out.toHost().toFloatArray()).containsExactly(-1, -0f, -3);
      assertThat(part.toHost().toFloatArray()).containsExactly(1, 0, 3);
    }
  }

  @Test
  void aTensorThatStartsBetweenMultiplesOfTheAlignmentIsRefused() {
    long alignment = device.properties().minAlignment();
    try (Module module = device.loadModule(NegatedKernel.module().image());
        Tensor block = there(Tensor.zeros(DType.FLOAT32, Shape.of(4)));
        Tensor part = block.stridedView(Shape.of(3), new long[] {1}, 1)) {
      assertThatThrownBy(() -> call(module, NegatedKernel.NAME, part, block))
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "opencl:0 cannot give argument #0 of the kernel negated a tensor that starts at byte"
                  + " 4 of a block of 16: it must be a multiple of "
                  + alignment
                  + " within the block\n  what to do: copy the tensor, and give the kernel the"
                  + " copy");
    }
  }

  @Test
  void nullIsTheNullPointer() {
    String source =
        """
        __kernel void isnull(__global const float* x, __global int* out) {
          out[0] = x == 0;
        }
        """;
    KernelEntry entry =
        new KernelEntry("isnull", List.of(KernelEntry.HANDLE, KernelEntry.HANDLE), List.of());
    try (Module module = device.loadModule(NegatedKernel.image(source, entry));
        Tensor out = there(Tensor.zeros(DType.INT32, Shape.of(1)))) {
      call(module, "isnull", null, out);
      assertThat(out.toHost().toLongArray()).containsExactly(1);
      call(module, "isnull", out, out);
      assertThat(out.toHost().toLongArray()).containsExactly(0);
    }
  }

  @Test
  void workGroupsThatAreTooLargeAreRefused() {
    KernelEntry entry =
        new KernelEntry(
            NegatedKernel.NAME,
            List.of(KernelEntry.HANDLE, KernelEntry.HANDLE),
            List.of(LaunchTag.BLOCK_X, LaunchTag.THREAD_X));
    faults.answer("maxWorkGroupSize", 256L);
    try (Module module = device.loadModule(NegatedKernel.image(NegatedKernel.SOURCE, entry));
        Tensor x = there(Tensor.zeros(DType.FLOAT32, Shape.of(3)))) {
      assertThatThrownBy(() -> call(module, NegatedKernel.NAME, x, x, 2, 512))
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "opencl:0 cannot launch the kernel negated with [1024] in groups of [512]: a group"
                  + " of it has at most 256 work-items\n  what to do: compile the program for the"
                  + " limits of this device, which 'relaxvm doctor' shows");
    }
  }

  @Test
  void sourceThatTheCompilerRefusesIsShownWithItsLogAndKept() throws IOException {
    System.setProperty(FAILED_SOURCES, folder.toString());
    faults.answer("buildLog", "line 1: it is wrong\nline 2: so is this\n");
    KernelEntry entry =
        new KernelEntry("wrong", List.of(KernelEntry.HANDLE, KernelEntry.HANDLE), List.of());
    String source = "__kernel void wrong(__global float* x { this is no OpenCL C }";
    try (Module module = device.loadModule(NegatedKernel.image(source, entry));
        Tensor x = there(Tensor.zeros(DType.FLOAT32, Shape.of(3)))) {
      Throwable refused = catchThrowable(() -> call(module, "wrong", x, x));
      Path kept;
      try (var files = Files.list(folder)) {
        kept = files.findFirst().orElseThrow();
      }
      assertThat(kept).hasContent(source);
      assertThat(refused)
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "opencl:0 cannot build the program of wrong: clBuildProgram failed with"
                  + " CL_BUILD_PROGRAM_FAILURE (-11)"
                  + "\n  compiler: line 1: it is wrong\n    line 2: so is this"
                  + "\n  source: "
                  + kept);
      assertThat(((BackendException) refused).kind()).isEqualTo(ErrorKind.INTERNAL);
    }
  }

  @Test
  void theCompilersOwnLogIsInTheMessage() {
    System.setProperty(FAILED_SOURCES, folder.toString());
    assertThatThrownBy(
            () -> device.build("x", "__kernel void x() { undeclared = 1; }", "-cl-mad-enable"))
        .hasMessageStartingWith(
            "opencl:0 cannot build the program of x: clBuildProgram failed with"
                + " CL_BUILD_PROGRAM_FAILURE (-11)\n  options: -cl-mad-enable\n  compiler: ")
        .hasMessageContaining("undeclared")
        .hasMessageContaining("\n  source: " + folder);
  }

  @Test
  void preparingBuildsAheadOfTheFirstCall() {
    try (Module module = device.loadModule(NegatedKernel.module().image())) {
      assertThat(faults.liveHandles()).doesNotContainKey(HandleKind.PROGRAM);
      PackedFunc function = module.find(NegatedKernel.NAME).orElseThrow();
      ((Preparable) function).prepare();
      ((Preparable) function).prepare();
      assertThat(faults.liveHandles())
          .containsEntry(HandleKind.PROGRAM, 1L)
          .containsEntry(HandleKind.KERNEL, 1L);
    }
    assertThat(faults.liveHandles()).doesNotContainKeys(HandleKind.PROGRAM, HandleKind.KERNEL);
  }

  @Test
  void aClosedModuleIsNotCalled() {
    Module module = device.loadModule(NegatedKernel.module().image());
    try (Tensor x = there(Tensor.zeros(DType.FLOAT32, Shape.of(3)))) {
      call(module, NegatedKernel.NAME, x, x);
      module.close();
      assertThatThrownBy(() -> call(module, NegatedKernel.NAME, x, x))
          .hasMessage(
              "the program of kernel negated on opencl:0 is closed: it cannot be launched any"
                  + " more");
    }
    Module unused = device.loadModule(NegatedKernel.module().image());
    unused.close();
    assertThatThrownBy(() -> ((Preparable) unused.find(NegatedKernel.NAME).orElseThrow()).prepare())
        .hasMessage("the module of kernel negated on opencl:0 is closed");
  }

  @Test
  void imagesThatCannotBeLoadedAreRefused() {
    MemorySegment bytes = MemorySegment.ofArray(new byte[] {'k', (byte) 0xFF});
    assertThatThrownBy(() -> device.loadModule(new ModuleImage("ptx", List.of(), bytes)).close())
        .hasMessage(
            "opencl:0 takes no modules of format 'ptx', only [aocx, awsxclbin, opencl-c, tir,"
                + " xclbin]");
    assertThatThrownBy(
            () -> device.loadModule(new ModuleImage("opencl-c", List.of("k"), bytes)).close())
        .hasMessage(
            "opencl:0 cannot load a module of format opencl-c: it does not say which parameters"
                + " these kernels have: [k]\n  what to do: give the image an entry for each of its"
                + " symbols");
    KernelEntry entry = new KernelEntry("k", List.of(), List.of());
    assertThatThrownBy(
            () ->
                device
                    .loadModule(new ModuleImage("opencl-c", List.of("k"), bytes, List.of(entry)))
                    .close())
        .hasMessage("opencl:0 cannot load a module of format opencl-c: its text is not UTF-8");
    ModuleImage binary = new ModuleImage("xclbin", List.of("k"), bytes, List.of(entry));
    try (Module module = device.loadModule(binary)) {
      assertThatThrownBy(() -> ((Preparable) module.find("k").orElseThrow()).prepare())
          .isInstanceOf(BackendException.class)
          .hasMessageStartingWith("opencl:0 cannot take a binary program of 2 bytes: ");
    }
  }

  @Test
  void aKernelThatTheSourceLacksIsNamed() {
    KernelEntry entry = new KernelEntry("other", List.of(), List.of());
    try (Module module = device.loadModule(NegatedKernel.image(NegatedKernel.SOURCE, entry))) {
      assertThatThrownBy(() -> ((Preparable) module.find("other").orElseThrow()).prepare())
          .hasMessage(
              "a program of opencl:0 has no kernel 'other': clCreateKernel failed with"
                  + " CL_INVALID_KERNEL_NAME (-46)");
    }
  }

  @Test
  void aDeviceWithoutCompilerSaysSo() {
    faults.answer("number", 0L);
    try (Backend binariesOnly = new OpenClBackendProvider(faults::driver).open()) {
      OpenClDevice first = (OpenClDevice) binariesOnly.devices().getFirst();
      assertThat(first.properties().details())
          .containsEntry("compiler", "none: it takes binaries only");
      assertThatThrownBy(() -> first.build("negated", NegatedKernel.SOURCE, ""))
          .hasMessage(
              "opencl:0 cannot build the program of negated: its driver has no compiler\n  what to"
                  + " do: give the device programs in binary form, or use another device");
    }
  }

  @Test
  void aProgramCanBeKeptAndLoadedAgain() {
    byte[] kept;
    try (OpenClProgram program = device.build("negated", NegatedKernel.SOURCE, "")) {
      kept = program.binary();
    }
    assertThat(kept).isNotEmpty();
    faults.fail("buildLog", "clGetProgramBuildInfo", CL.CL_INVALID_OPERATION);
    try (OpenClProgram program = device.load(kept);
        Tensor x = there(Tensor.of(new float[] {1, 2, 3}, Shape.of(3)))) {
      negate(program.kernel(NegatedKernel.NAME), x, stream);
      stream.synchronize();
      assertThat(x.toHost().toFloatArray()).containsExactly(-1, -2, -3);
    }
  }

  @Test
  void aKernelIsSharedByThreads() throws InterruptedException, ExecutionException {
    try (OpenClProgram program = device.build("negated", NegatedKernel.SOURCE, "");
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        float value = thread + 1;
        running.add(threads.submit(() -> negateRepeatedly(program, value)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
  }

  private void negateRepeatedly(OpenClProgram program, float value) {
    Tensor host = Tensor.of(new float[] {value, value, value}, Shape.of(3));
    try (Stream own = device.openStream();
        Tensor x = DeviceTensors.copyTo(host, allocator, own)) {
      for (int round = 1; round <= 51; round++) {
        negate(program.kernel(NegatedKernel.NAME), x, own);
      }
      MemorySegment back = MemorySegment.ofArray(new float[3]);
      device.copyOut(x.storage().memory(), 0, back, own);
      own.synchronize();
      assertThat(back.toArray(ValueLayout.JAVA_FLOAT)).containsOnly(-value);
    }
  }

  private static void negate(OpenClKernel kernel, Tensor x, Stream stream) {
    KernelArgument argument = new KernelArgument.Memory(x.storage().memory());
    ((OpenClStream) stream)
        .launch(
            kernel,
            NegatedKernel.NAME,
            List.of(argument, argument),
            WorkSize.of(new long[] {1}, new long[] {1}));
  }

  private Tensor there(Tensor host) {
    return DeviceTensors.copyTo(host, allocator, stream);
  }

  /** A call from outside of any VM, which waits. */
  private static void call(Module module, String name, @Nullable Object... args) {
    module.find(name).orElseThrow().invoke(args).close();
  }
}
