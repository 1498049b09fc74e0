package org.relaxvm.backendsupport.gpu.module;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallEffects;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.gpu.ScheduledKernel;
import org.relaxvm.backendsupport.gpu.codegen.KernelSource;
import org.relaxvm.backendsupport.gpu.foreign.CallStream;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.vendorgemm.GemmLibrary;
import org.relaxvm.backendsupport.gpu.vendorgemm.HintedGemm;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.abi.CallBinding;
import org.relaxvm.tir.abi.TensorLocation;
import org.relaxvm.tir.analysis.KernelAnalysis;
import org.relaxvm.tir.analysis.KernelEffects;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.Stmt;

/** A kernel of a module: checks a call, and enqueues the launches of the kernel. Thread-safe. */
final class GpuFunction implements PackedFunc, Preparable {

  private final GpuModule module;
  private final PrimFunc kernel;
  private final List<KernelSource> sources;
  private final List<Var> variables;
  private final CallBinding binding;
  private final ArgumentTable arguments;

  /** The buffer of each parameter; null for scalars. */
  private final @Nullable Buffer[] buffers;

  /** The number of the buffer of each parameter. */
  private final int[] numbers;

  /** The bytes of each temporary. */
  private final List<Extents.Extent> temporaryBytes = new ArrayList<>();

  private final int parameterBuffers;

  /** What the kernel is to a library; null when it is no product, or there is no library. */
  private final @Nullable HintedGemm gemm;

  private final @Nullable GemmLibrary library;

  /** Whether a launch has more buffers than one with indices of 32 bits can have. */
  private final boolean manyBuffers;

  private volatile @Nullable PlannedLaunches narrow;
  private volatile @Nullable PlannedLaunches wide;
  private volatile @Nullable Known known;

  /**
   * What the last call found out; the next one mostly has the same extents.
   *
   * @param far whether elements lie farther in memory than kernels with indices of 32 bits reach
   * @param table without memory and offsets
   */
  @SuppressWarnings("ArrayRecordComponent") // Read by this class only.
  private record Known(
      long[] values,
      boolean far,
      PlannedLaunches launches,
      List<PlannedLaunches.Part> parts,
      long[] temporaryBytes,
      KernelArgument[] table) {}

  GpuFunction(GpuModule module, KernelAnalysis analysis, ScheduledKernel scheduled) {
    this.module = module;
    this.kernel = analysis.kernel();
    this.sources = GpuModule.sources(scheduled.launches());
    int mostBuffers = module.driver().mostNarrowBuffers();
    this.manyBuffers = sources.stream().anyMatch(source -> source.bufferCount() > mostBuffers);
    this.variables = Extents.variables(kernel);
    this.library = module.driver().gemmLibrary().orElse(null);
    this.gemm = library == null ? null : HintedGemm.of(analysis).orElse(null);
    this.binding =
        new CallBinding(
            kernel, variables, outputs(kernel), TensorLocation.of(module.driver().device()));
    this.buffers = new Buffer[kernel.params().size()];
    this.numbers = new int[buffers.length];
    List<Buffer> all = new ArrayList<>();
    for (int i = 0; i < buffers.length; i++) {
      if (kernel.params().get(i) instanceof Param.OfBuffer(Buffer buffer)) {
        buffers[i] = buffer;
        numbers[i] = all.size();
        all.add(buffer);
      }
    }
    this.parameterBuffers = all.size();
    for (Buffer buffer : scheduled.temporaries()) {
      List<Extents.Extent> extents =
          buffer.shape().stream().map(extent -> Extents.of(extent, variables)).toList();
      temporaryBytes.add(values -> bytes(buffer.dtype().elementByteSize(), extents, values));
      all.add(buffer);
    }
    this.arguments = new ArgumentTable(all, variables, module.driver().dialect(false));
  }

  private static long bytes(long elementBytes, List<Extents.Extent> shape, long[] values) {
    long bytes = elementBytes;
    for (Extents.Extent extent : shape) {
      bytes = Math.multiplyExact(bytes, extent.value(values));
    }
    return bytes;
  }

  private static Set<Integer> outputs(PrimFunc kernel) {
    Set<Buffer> written = new HashSet<>();
    new IrVisitor() {
      @Override
      public void visit(Stmt stmt) {
        if (stmt instanceof BufferStore store) {
          written.add(store.buffer());
        }
        super.visit(stmt);
      }
    }.visit(kernel.body());
    Set<Integer> outputs = new HashSet<>();
    for (int i = 0; i < kernel.params().size(); i++) {
      if (kernel.params().get(i) instanceof Param.OfBuffer(Buffer buffer)
          && written.contains(buffer)) {
        outputs.add(i);
      }
    }
    return outputs;
  }

  /** Whether it has more buffers than a kernel with indices of 32 bits can have. */
  boolean isAlwaysWide() {
    return manyBuffers;
  }

  CallEffects effects() {
    return KernelEffects.of(kernel);
  }

  /** The library that may compute it, as the end of where a function comes from. */
  String provider() {
    return gemm == null || library == null ? "" : gemm.origin(library);
  }

  List<KernelSource> sources() {
    return sources;
  }

  @Override
  public void prepare() {
    launches(manyBuffers);
  }

  private PlannedLaunches launches(boolean needsWide) {
    PlannedLaunches launches = needsWide ? wide : narrow;
    if (launches == null) {
      synchronized (this) {
        launches = needsWide ? wide : narrow;
        if (launches == null) {
          GpuModule.Code code =
              needsWide ? module.wideCode(kernel.name(), sources) : module.code(kernel.name());
          launches = new PlannedLaunches(code, kernel.name(), needsWide, arguments, variables);
          if (needsWide) {
            wide = launches;
          } else {
            narrow = launches;
          }
        }
      }
    }
    return launches;
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    try {
      run(args);
    } catch (RelaxException e) {
      e.addLocation("kernel " + kernel.name());
      throw e;
    }
  }

  private void run(CallArgs args) {
    @Nullable Tensor[] tensors = binding.tensors(args);
    long[] values = binding.bind(args, tensors);
    boolean far = manyBuffers;
    long mostBytes = module.driver().mostNarrowBytes();
    boolean addressed = module.driver().dialect(false).addressesIncludeOffsets();
    for (int i = 0; i < tensors.length; i++) {
      Tensor tensor = tensors[i];
      Buffer buffer = buffers[i];
      if (tensor != null && buffer != null) {
        checkLayout(buffer, tensor);
        long bytes = tensor.storage().memory().byteSize();
        far |= bytes > mostBytes || (!addressed && elements(bytes, buffer) > Integer.MAX_VALUE);
      }
    }
    Device device = module.driver().device();
    if (gemm != null
        && library != null
        && gemm.factors(tensors).multiply(library, device, kernel.name(), args)) {
      return;
    }
    Known call = known(values, far);
    KernelArgument[] table = call.table().clone();
    boolean wideIndices = call.launches().isWide();
    for (int i = 0; i < tensors.length; i++) {
      Tensor tensor = tensors[i];
      Buffer buffer = buffers[i];
      if (tensor != null && buffer != null) {
        DeviceMemory memory = tensor.storage().memory();
        arguments.setBuffer(table, numbers[i], memory, tensor.byteOffset(), wideIndices);
      }
    }
    if (call.temporaryBytes().length == 0) {
      CallStream.use(args, device, stream -> call.launches().enqueue(table, call.parts(), stream));
      return;
    }
    try (Temporaries temporaries = new Temporaries(device, args.contextOrNull())) {
      CallStream.use(args, device, stream -> enqueue(call, table, temporaries, stream));
    }
  }

  private static long elements(long bytes, Buffer buffer) {
    return bytes / buffer.dtype().elementByteSize();
  }

  private void enqueue(Known call, KernelArgument[] table, Temporaries temporaries, Stream stream) {
    for (int i = 0; i < call.temporaryBytes().length; i++) {
      DeviceMemory memory = temporaries.take(call.temporaryBytes()[i], stream);
      arguments.setBuffer(table, parameterBuffers + i, memory, 0, call.launches().isWide());
    }
    call.launches().enqueue(table, call.parts(), stream);
  }

  private Known known(long[] values, boolean far) {
    Known last = known;
    if (last != null && last.far() == far && Arrays.equals(last.values(), values)) {
      return last;
    }
    long[] bytes = temporaryBytes.stream().mapToLong(extent -> extent.value(values)).toArray();
    long mostBytes = module.driver().mostNarrowBytes();
    boolean large = Arrays.stream(bytes).anyMatch(size -> size > mostBytes);
    PlannedLaunches launches = launches(far || large || needsWide(values));
    Known next =
        new Known(
            values,
            far,
            launches,
            launches.parts(values),
            bytes,
            arguments.of(values, launches.isWide()));
    known = next;
    return next;
  }

  private boolean needsWide(long[] values) {
    Map<Var, Long> extents = new HashMap<>();
    for (int i = 0; i < values.length; i++) {
      if (variables.get(i).dtype().equals(DType.INT64)) {
        extents.put(variables.get(i), values[i]);
      }
    }
    return sources.stream().anyMatch(source -> source.needsWideIndices(extents));
  }

  private static void checkLayout(Buffer buffer, Tensor tensor) {
    if (buffer.strides().isEmpty() && !tensor.isContiguous()) {
      throw new CallException(
          ErrorKind.VALUE,
          "the parameter "
              + buffer
              + ": expected a contiguous (row-major) tensor, but got "
              + tensor
              + " with strides");
    }
    int bytes = buffer.dtype().elementByteSize();
    if (tensor.byteOffset() % bytes != 0) {
      throw new CallException(
          ErrorKind.VALUE,
          "the parameter "
              + buffer
              + ": expected an offset of whole elements of "
              + bytes
              + " bytes, but got "
              + tensor.byteOffset()
              + " bytes");
    }
  }
}
