package org.relaxvm.backendsupport.gpu.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.gpu.ScheduledKernel;
import org.relaxvm.backendsupport.gpu.source.KernelSource;
import org.relaxvm.backendsupport.gpu.source.LaunchSource;
import org.relaxvm.backendsupport.launch.CallStream;
import org.relaxvm.backendsupport.launch.KernelArgument;
import org.relaxvm.backendsupport.launch.WorkSize;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.call.CallBinding;
import org.relaxvm.tir.call.TensorPlace;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.Stmt;

/** A kernel of a module: checks a call, and enqueues the launches of the kernel. Thread-safe. */
final class GpuFunction implements PackedFunc, Preparable {

  private final GpuModule module;
  private final PrimFunc kernel;
  private final ScheduledKernel scheduled;
  private final List<KernelSource> sources;
  private final List<Var> variables;
  private final CallBinding binding;
  private volatile GpuModule.@Nullable Code narrow;
  private volatile GpuModule.@Nullable Code wide;
  private volatile @Nullable Width known;

  /** Whether given values of variables need indices of 64 bits. */
  private record Width(long[] values, boolean wide) {}

  GpuFunction(GpuModule module, PrimFunc kernel, ScheduledKernel scheduled) {
    this.module = module;
    this.kernel = kernel;
    this.scheduled = scheduled;
    this.sources = GpuModule.sources(scheduled.launches());
    this.variables = Extents.variables(kernel);
    this.binding =
        new CallBinding(
            kernel, variables, outputs(kernel), TensorPlace.of(module.driver().device()));
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

  List<KernelSource> sources() {
    return sources;
  }

  @Override
  public void prepare() {
    code(false);
  }

  private GpuModule.Code code(boolean needsWide) {
    GpuModule.Code code = needsWide ? wide : narrow;
    if (code == null) {
      synchronized (this) {
        code = needsWide ? wide : narrow;
        if (code == null) {
          code = needsWide ? module.wideCode(kernel.name(), sources) : module.code(kernel.name());
          if (needsWide) {
            wide = code;
          } else {
            narrow = code;
          }
        }
      }
    }
    return code;
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
    Map<Buffer, Place> places = new IdentityHashMap<>();
    for (int i = 0; i < tensors.length; i++) {
      Tensor tensor = tensors[i];
      if (tensor != null && kernel.params().get(i) instanceof Param.OfBuffer(Buffer buffer)) {
        places.put(buffer, Place.of(buffer, tensor));
      }
    }
    GpuModule.Code code = code(needsWide(values, places));
    try (Temporaries temporaries =
        new Temporaries(module.driver().device(), args.contextOrNull())) {
      CallStream.use(
          args,
          module.driver().device(),
          stream -> enqueue(code, values, places, temporaries, stream));
    }
  }

  private boolean needsWide(long[] values, Map<Buffer, Place> places) {
    for (Place place : places.values()) {
      if (place.end() > Integer.MAX_VALUE) {
        return true;
      }
    }
    Width last = known;
    if (last == null || !Arrays.equals(last.values(), values)) {
      Map<Var, Long> extents = new HashMap<>();
      for (int i = 0; i < values.length; i++) {
        if (variables.get(i).dtype().equals(DType.INT64)) {
          extents.put(variables.get(i), values[i]);
        }
      }
      last = new Width(values, sources.stream().anyMatch(s -> s.needsWideIndices(extents)));
      known = last;
    }
    return last.wide();
  }

  private void enqueue(
      GpuModule.Code code,
      long[] values,
      Map<Buffer, Place> places,
      Temporaries temporaries,
      Stream stream) {
    for (Buffer buffer : scheduled.temporaries()) {
      long bytes = buffer.dtype().elementByteSize();
      for (PrimExpr extent : buffer.shape()) {
        bytes = Math.multiplyExact(bytes, Extents.value(extent, variables, values));
      }
      places.put(buffer, new Place(temporaries.take(bytes, stream), 0, bytes));
    }
    for (LaunchSource launch : code.launches()) {
      long[] groups = new long[launch.groups().size()];
      boolean some = true;
      for (int axis = 0; axis < groups.length; axis++) {
        groups[axis] = Extents.value(launch.groups().get(axis), variables, values);
        some &= groups[axis] > 0;
      }
      if (some) {
        groups[0] = Math.multiplyExact(groups[0], launch.groupSize());
        WorkSize size = WorkSize.of(groups, new long[] {launch.groupSize(), 1, 1});
        boolean wideIndices = code.equals(wide);
        code.program()
            .launch(
                launch.name(),
                kernel.name(),
                stream,
                arguments(launch, values, places, wideIndices),
                size);
      }
    }
  }

  private List<KernelArgument> arguments(
      LaunchSource launch, long[] values, Map<Buffer, Place> places, boolean wideIndices) {
    List<KernelArgument> arguments = new ArrayList<>(launch.parameters().size());
    for (LaunchSource.Parameter parameter : launch.parameters()) {
      arguments.add(
          switch (parameter) {
            case LaunchSource.Parameter.Memory(Buffer buffer) ->
                new KernelArgument.Memory(place(places, buffer).block());
            case LaunchSource.Parameter.Offset(Buffer buffer) ->
                index(place(places, buffer).offset(), wideIndices);
            case LaunchSource.Parameter.Number(Var var, boolean index) ->
                index
                    ? index(values[variables.indexOf(var)], wideIndices)
                    : number(var.dtype(), values[variables.indexOf(var)]);
          });
    }
    return arguments;
  }

  private static Place place(Map<Buffer, Place> places, Buffer buffer) {
    Place place = places.get(buffer);
    if (place == null) {
      throw new IllegalStateException("the buffer " + buffer + " has no memory");
    }
    return place;
  }

  private static KernelArgument index(long value, boolean wide) {
    return wide
        ? KernelArgument.Scalar.of(value)
        : KernelArgument.Scalar.of(Math.toIntExact(value));
  }

  private KernelArgument number(DType dtype, long bits) {
    if (dtype.equals(DType.FLOAT64) && !module.driver().dialect().computes(dtype)) {
      return KernelArgument.Scalar.of((float) Double.longBitsToDouble(bits));
    }
    return dtype.bits() == 64
        ? KernelArgument.Scalar.of(bits)
        : KernelArgument.Scalar.of((int) bits);
  }

  /**
   * Where a buffer lies.
   *
   * @param offset of its first element in the block, in elements
   * @param end behind its last byte, in elements
   */
  private record Place(DeviceMemory block, long offset, long end) {
    static Place of(Buffer buffer, Tensor tensor) {
      if (buffer.strides().isEmpty() && !tensor.isContiguous()) {
        throw new CallException(
            ErrorKind.VALUE,
            "the parameter "
                + buffer
                + ": expected a tensor whose elements lie row by row, but got "
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
      DeviceMemory block = tensor.storage().memory();
      return new Place(block, tensor.byteOffset() / bytes, block.byteSize() / bytes);
    }
  }
}
