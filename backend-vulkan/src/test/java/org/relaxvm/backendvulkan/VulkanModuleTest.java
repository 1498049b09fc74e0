package org.relaxvm.backendvulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.backendvulkan.driver.Feature.HOST_QUERY_RESET;
import static org.relaxvm.backendvulkan.driver.Feature.TIMELINE;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.api.spi.LaunchTag;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;
import org.relaxvm.backendvulkan.driver.DeviceReport;
import org.relaxvm.backendvulkan.driver.HandleKind;
import org.relaxvm.backendvulkan.driver.Vulkan;
import org.relaxvm.backendvulkan.kernels.KernelInterface;
import org.relaxvm.backendvulkan.program.VulkanKernel;

/** Shaders in SPIR-V: what they are given, how they are launched, and what is refused. */
@NeedsVulkan
class VulkanModuleTest {
  private final FaultyDriver faults = new FaultyDriver();
  private Backend backend;
  private VulkanDevice device;
  private NaiveAllocator allocator;
  private Stream stream;

  @BeforeEach
  void open() {
    backend = new VulkanBackendProvider(faults::driver).open();
    device = (VulkanDevice) backend.devices().getFirst();
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
  }

  private static String shader(String buffers, String arguments, String body) {
    return "#version 460\n"
        + "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
        + "layout(local_size_x = 1) in;\n"
        + buffers
        + arguments
        + "void main() {"
        + body
        + "}\n";
  }

  private static final String OUT_DOUBLES =
      "layout(set = 0, binding = 0) buffer Out { double o[]; };\n";

  private static final String SCALARS =
      " { int64_t a; int b; int b_; uint c; uint c_; double d; float e; float e_; };\n";

  private static final String PACK =
      "o[0] = double(a); o[1] = b; o[2] = c; o[3] = d; o[4] = e; o[5] = b_ + int(c_) + e_;";

  private static KernelEntry packed(boolean uniform) {
    return new KernelEntry(
        "pack",
        List.of(
            KernelEntry.HANDLE,
            DType.INT64,
            DType.INT32,
            DType.UINT32,
            DType.FLOAT64,
            DType.FLOAT32),
        List.of(),
        Set.of(),
        uniform);
  }

  @Test
  void aKernelGetsScalarsOfAllKindsInSlotsOfPushConstants() {
    packs(shader(OUT_DOUBLES, "layout(push_constant) uniform P" + SCALARS, PACK), packed(false));
  }

  @Test
  void aKernelGetsScalarsInAUniformBufferAfterItsBuffers() {
    packs(
        shader(OUT_DOUBLES, "layout(set = 0, binding = 1, std140) uniform P" + SCALARS, PACK),
        packed(true));
  }

  private void packs(String source, KernelEntry entry) {
    try (Module module = device.loadModule(Shaders.image(source, entry));
        Tensor out = there(Tensor.zeros(DType.FLOAT64, Shape.of(6)))) {
      for (int round = 0; round < 3; round++) {
        call(module, "pack", out, (1L << 40) + round, (1L << 32) - 7, -1L, 0.1, 0.1);
        assertThat(out.toHost().toDoubleArray())
            .containsExactly((1L << 40) + round, -7, 4294967295.0, 0.1, 0.1f, 0);
      }
    }
  }

  @Test
  void onlyTheGridIsDispatched() {
    String source =
        """
        #version 460
        layout(local_size_x = 2, local_size_y = 1) in;
        layout(set = 0, binding = 0) buffer Out { int o[]; };
        void main() {
          uint i = gl_GlobalInvocationID.y * (gl_NumWorkGroups.x * 2) + gl_GlobalInvocationID.x;
          o[i] = int(gl_LocalInvocationID.x + 100 * gl_WorkGroupID.x + 1000 * gl_WorkGroupID.y);
        }
        """;
    KernelEntry entry =
        new KernelEntry(
            "where",
            List.of(KernelEntry.HANDLE),
            List.of(LaunchTag.BLOCK_X, LaunchTag.THREAD_X, LaunchTag.BLOCK_Y));
    try (Module module = device.loadModule(Shaders.image(source, entry));
        Tensor out = there(Tensor.zeros(DType.INT32, Shape.of(8)))) {
      // The size of a block is part of the code, whatever the call says.
      call(module, "where", out, 2, 64, 2);
      assertThat(out.toHost().toLongArray())
          .containsExactly(0, 1, 100, 101, 1000, 1001, 1100, 1101);
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
              "vulkan:0 cannot give argument #0 of the kernel negated a tensor that starts at byte"
                  + " 4 of a block of 16: it must be a multiple of "
                  + alignment
                  + " within the block\n  what to do: copy the tensor, and give the kernel the"
                  + " copy");
    }
  }

  @Test
  void nullIsAnyBuffer() {
    try (Module module = device.loadModule(NegatedKernel.module().image());
        Tensor x = there(Tensor.of(new float[] {1, 2, 3}, Shape.of(3)));
        Tensor out = there(Tensor.zeros(DType.FLOAT32, Shape.of(3)))) {
      call(module, NegatedKernel.NAME, null, out);
      call(module, NegatedKernel.NAME, x, null);
      // Neither harmed anything else.
      assertThat(x.toHost().toFloatArray()).containsExactly(1, 2, 3);
      call(module, NegatedKernel.NAME, x, out);
      assertThat(out.toHost().toFloatArray()).containsExactly(-1, -2, -3);
    }
  }

  @Test
  void moreWorkGroupsThanTheDeviceLaunchesAreRefused() {
    KernelEntry entry =
        new KernelEntry(
            NegatedKernel.NAME,
            List.of(KernelEntry.HANDLE, KernelEntry.HANDLE),
            List.of(LaunchTag.BLOCK_Z));
    List<Long> most = Reports.real().limits().maxWorkGroupCount();
    Assumptions.assumeTrue(most.get(2) < Integer.MAX_VALUE, "any number of groups is launched");
    try (Module module = device.loadModule(Shaders.image(NegatedKernel.SOURCE, entry));
        Tensor x = there(Tensor.zeros(DType.FLOAT32, Shape.of(3)))) {
      assertThatThrownBy(() -> call(module, NegatedKernel.NAME, x, x, most.get(2) + 1))
          .isInstanceOf(BackendException.class)
          .hasMessage(
              "vulkan:0 cannot launch the kernel negated with [1, 1, "
                  + (most.get(2) + 1)
                  + "] groups: it launches at most "
                  + most
                  + "\n  what to do: compile the program for the limits of this device, which"
                  + " 'relaxvm doctor' shows");
    }
  }

  @Test
  void workGroupsThatAreTooLargeAreRefused() {
    DeviceReport real = Reports.real();
    faults.answer("report", Reports.limited(real, 4, real.limits().maxStorageBufferRange()));
    KernelEntry entry = new KernelEntry("large", List.of(KernelEntry.HANDLE), List.of());
    ModuleImage image =
        Shaders.image(
            """
            #version 460
            layout(local_size_x = 3, local_size_y = 2) in;
            layout(set = 0, binding = 0) buffer Out { int o[]; };
            void main() { o[0] = 1; }
            """,
            entry);
    try (Backend lesser = new VulkanBackendProvider(faults::driver).open()) {
      device = (VulkanDevice) lesser.devices().getFirst();
      refuses(
          image,
          "vulkan:0 cannot run the kernel large in groups of [3, 2, 1]: a group has at most 4"
              + " work-items, and "
              + real.limits().maxWorkGroupSize()
              + " along its axes\n  what to do: compile the program for the limits of this device,"
              + " which 'relaxvm doctor' shows");
    }
  }

  @Test
  void whatTheDeviceLacksIsNamedBeforeItsDriverSeesTheShader() {
    faults.answer("report", Reports.with(Reports.real(), Set.of(TIMELINE, HOST_QUERY_RESET)));
    try (Backend lesser = new VulkanBackendProvider(faults::driver).open()) {
      VulkanDevice first = (VulkanDevice) lesser.devices().getFirst();
      String source =
          shader(OUT_DOUBLES, "layout(push_constant) uniform P { int64_t a; };", "o[0] = a;");
      KernelEntry entry =
          new KernelEntry("wide", List.of(KernelEntry.HANDLE, DType.INT64), List.of());
      try (Module module = first.loadModule(Shaders.image(source, entry))) {
        assertThatThrownBy(() -> ((Preparable) module.find("wide").orElseThrow()).prepare())
            .isInstanceOf(BackendException.class)
            .hasMessage(
                "vulkan:0 cannot run the kernel wide: its shader needs what the device lacks:"
                    + " Float64 (shaderFloat64), Int64 (shaderInt64)\n  what to do: compile the"
                    + " program for the features of this device, which 'relaxvm doctor' shows, or"
                    + " use another device");
      }
    }
    assertThat(faults.calls("createPipeline")).isZero();
  }

  @Test
  void shadersThatDoNotFitTheirEntryAreRefused() {
    byte[] spirv = Shaders.compile("negated", NegatedKernel.SOURCE);
    refuses(
        Shaders.image(spirv, NegatedKernel.ENTRY),
        "vulkan:0 cannot run the kernel negated: its shader has no entry point 'negated' for"
            + " compute, only [main]");
    KernelEntry one = new KernelEntry(NegatedKernel.NAME, List.of(KernelEntry.HANDLE), List.of());
    refuses(
        Shaders.image(Shaders.named(spirv, NegatedKernel.NAME), one),
        "vulkan:0 cannot run the kernel negated: its shader uses binding 1 and descriptor set 0,"
            + " but it is given 1 bindings from 0 on in set 0");
    refuses(
        Shaders.image(Arrays.copyOf(spirv, spirv.length - 4), NegatedKernel.ENTRY),
        "vulkan:0 cannot run the kernel negated: its shader has no entry point 'negated' for"
            + " compute, only [main]");
  }

  @Test
  void moreScalarsThanThereArePushConstantsAreRefused() {
    int most = Reports.real().limits().maxPushConstantBytes();
    List<DType> parameters = new ArrayList<>(Collections.nCopies(most / 8 + 3, DType.INT32));
    parameters.set(0, KernelEntry.HANDLE);
    parameters.set(1, KernelEntry.HANDLE);
    KernelEntry entry = new KernelEntry(NegatedKernel.NAME, parameters, List.of());
    refuses(
        Shaders.image(NegatedKernel.SOURCE, entry),
        "vulkan:0 cannot run the kernel negated: its numbers take "
            + (most + 8)
            + " bytes of push constants, and the device has at most "
            + most
            + "\n  what to do: compile the program for the limits of this device, which 'relaxvm"
            + " doctor' shows");
  }

  @Test
  void whatIsNoShaderIsRefused() {
    refuses(
        Shaders.image(new byte[] {1, 2, 3}, NegatedKernel.ENTRY),
        noShader("a size of whole words, and of at least 20 bytes", "3 bytes"));
    refuses(
        Shaders.image(new byte[20], NegatedKernel.ENTRY),
        noShader("the first word 0x07230203", "the first word 0x00000000"));
    byte[] cut = Arrays.copyOf(Shaders.compile("negated", NegatedKernel.SOURCE), 24);
    cut[22] = 9;
    refuses(
        Shaders.image(cut, NegatedKernel.ENTRY),
        noShader("an instruction of 1 to 1 words at word 5", "one of 9"));
  }

  private static String noShader(String expected, String got) {
    return "vulkan:0 cannot take the shader of kernel negated: this is no module of SPIR-V\n"
        + "  expected: "
        + expected
        + "\n  got: "
        + got
        + "\n  what to do: build the program again; a file of it may be cut off";
  }

  private void refuses(ModuleImage image, String message) {
    try (Module module = device.loadModule(image)) {
      String name = image.symbols().getFirst();
      assertThatThrownBy(() -> ((Preparable) module.find(name).orElseThrow()).prepare())
          .isInstanceOf(BackendException.class)
          .hasMessage(message);
    }
  }

  @Test
  void preparingMakesThePipelineAheadOfTheFirstCall() {
    try (Module module = device.loadModule(NegatedKernel.module().image())) {
      assertThat(faults.liveHandles()).doesNotContainKey(HandleKind.PIPELINE);
      PackedFunc function = module.find(NegatedKernel.NAME).orElseThrow();
      ((Preparable) function).prepare();
      ((Preparable) function).prepare();
      assertThat(faults.liveHandles())
          .containsEntry(HandleKind.PIPELINE, 1L)
          .containsEntry(HandleKind.PIPELINE_LAYOUT, 1L)
          .containsEntry(HandleKind.SET_LAYOUT, 1L);
    }
    assertThat(faults.liveHandles())
        .doesNotContainKeys(HandleKind.PIPELINE, HandleKind.PIPELINE_LAYOUT, HandleKind.SET_LAYOUT);
  }

  @Test
  void aPipelineThatCannotBeMadeLeavesNothingBehind() {
    faults.fail("createPipeline", "vkCreateComputePipelines", Vulkan.OUT_OF_DEVICE_MEMORY);
    try (Module module = device.loadModule(NegatedKernel.module().image())) {
      assertThatThrownBy(
              () -> ((Preparable) module.find(NegatedKernel.NAME).orElseThrow()).prepare())
          .isInstanceOf(DeviceOutOfMemoryException.class)
          .hasMessage(
              "vulkan:0 cannot make the kernel negated: vkCreateComputePipelines failed with"
                  + " VK_ERROR_OUT_OF_DEVICE_MEMORY (-2)");
      assertThat(faults.liveHandles())
          .doesNotContainKeys(HandleKind.PIPELINE_LAYOUT, HandleKind.SET_LAYOUT);
    }
  }

  @Test
  void workOfAModuleThatIsClosedIsDoneAllTheSame() {
    Module module = VulkanModule.load(device, NegatedKernel.module().image());
    try (Tensor x = there(Tensor.of(new float[] {1, 2, 3}, Shape.of(3)));
        VulkanKernel kernel = kernel()) {
      negate(kernel, x, stream);
      kernel.close();
      module.close();
      assertThat(faults.liveHandles()).containsEntry(HandleKind.PIPELINE, 1L);
      stream.synchronize();
      assertThat(x.toHost().toFloatArray()).containsExactly(-1, -2, -3);
      assertThatThrownBy(() -> negate(kernel, x, stream))
          .hasMessage(
              "the program of kernel negated on vulkan:0 is closed: it cannot be launched any"
                  + " more");
    }
  }

  @Test
  void aClosedModuleIsNotCalled() {
    Module unused = device.loadModule(NegatedKernel.module().image());
    unused.close();
    assertThatThrownBy(() -> ((Preparable) unused.find(NegatedKernel.NAME).orElseThrow()).prepare())
        .hasMessage("the module of kernel negated on vulkan:0 is closed");
  }

  @Test
  void imagesThatCannotBeLoadedAreRefused() {
    MemorySegment bytes = MemorySegment.ofArray(new byte[] {'k', (byte) 0xFF});
    assertThatThrownBy(() -> device.loadModule(new ModuleImage("ptx", List.of(), bytes)).close())
        .hasMessage("vulkan:0 takes no modules of format 'ptx', only [spirv, tir]");
    assertThatThrownBy(
            () -> device.loadModule(new ModuleImage("spirv", List.of("k"), bytes)).close())
        .hasMessage(
            "vulkan:0 cannot load a module of format spirv: it does not say which parameters"
                + " these kernels have: [k]\n  what to do: give the image an entry for each of its"
                + " symbols");
  }

  @Test
  void moreLaunchesThanABatchHoldsGiveWhatTheyMust() {
    try (VulkanKernel kernel = kernel();
        Tensor x = there(Tensor.of(new float[] {1, 2, 3}, Shape.of(3)))) {
      for (int round = 0; round < 1001; round++) {
        negate(kernel, x, stream);
      }
      stream.synchronize();
      assertThat(x.toHost().toFloatArray()).containsExactly(-1, -2, -3);
    }
  }

  @Test
  void workGroupsOfAnotherSizeThanAKernelWasBuiltForAreRefused() {
    try (VulkanKernel kernel =
        device.kernel(
            Shaders.compile("negated", NegatedKernel.SOURCE),
            new KernelInterface("main", 2, false, 0, false, false, 4),
            "negated")) {
      WorkSize size = WorkSize.of(new long[] {4}, new long[] {2});
      assertThatThrownBy(
              () -> ((VulkanStream) stream).launch(kernel, NegatedKernel.NAME, List.of(), size))
          .hasMessage(
              "vulkan:0 cannot launch the kernel negated with [4] in groups of [2]: it was built"
                  + " for groups of 4");
    }
  }

  @Test
  void argumentsThatDoNotFitAKernelAreRefused() {
    try (VulkanKernel kernel = kernel()) {
      WorkSize size = WorkSize.of(new long[] {1}, new long[] {1});
      List<KernelArgument> none = List.of();
      List<KernelArgument> number = List.of(KernelArgument.Scalar.of(1));
      for (List<KernelArgument> arguments : List.of(none, number)) {
        assertThatThrownBy(
                () -> ((VulkanStream) stream).launch(kernel, NegatedKernel.NAME, arguments, size))
            .isInstanceOf(BackendException.class)
            .hasMessageStartingWith(
                "vulkan:0 cannot launch the kernel negated: it is called as KernelInterface[")
            .hasMessageContaining("which does not fit the arguments of the launch");
      }
    }
  }

  @Test
  void aKernelIsSharedByThreads() throws InterruptedException, ExecutionException {
    try (VulkanKernel kernel = kernel();
        ExecutorService threads = Executors.newFixedThreadPool(4)) {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        float value = thread + 1;
        running.add(threads.submit(() -> negateRepeatedly(kernel, value)));
      }
      for (Future<?> one : running) {
        one.get();
      }
    }
  }

  private void negateRepeatedly(VulkanKernel kernel, float value) {
    Tensor host = Tensor.of(new float[] {value, value, value}, Shape.of(3));
    try (Stream own = device.openStream();
        Tensor x = DeviceTensors.copyTo(host, allocator, own)) {
      for (int round = 1; round <= 51; round++) {
        negate(kernel, x, own);
      }
      MemorySegment back = MemorySegment.ofArray(new float[3]);
      device.copyOut(x.storage().memory(), 0, back, own);
      own.synchronize();
      assertThat(back.toArray(ValueLayout.JAVA_FLOAT)).containsOnly(-value);
    }
  }

  private VulkanKernel kernel() {
    return device.kernel(
        Shaders.compile("negated", NegatedKernel.SOURCE),
        new KernelInterface("main", 2, false, 0, false, false, 0),
        "negated");
  }

  private static void negate(VulkanKernel kernel, Tensor x, Stream stream) {
    KernelArgument argument = new KernelArgument.Memory(x.storage().memory());
    ((VulkanStream) stream)
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
