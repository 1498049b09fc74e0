package org.relaxvm.backendtestkit.reference;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.text.TirText;

/**
 * Kernels of the kernel IR, each call of which the reference evaluator runs when the stream does.
 *
 * <p>Rationale: docs/rationale/backend-testkit.md, "Why does the reference backend run the kit's
 * own definitions?"
 */
final class ReferenceKernels {
  static final String FORMAT = "tir";

  private final ReferenceDevice device;
  private final PrimFunc kernel;

  private ReferenceKernels(ReferenceDevice device, PrimFunc kernel) {
    this.device = device;
    this.kernel = kernel;
  }

  static Module load(ReferenceDevice device, ModuleImage image) {
    String text = new String(image.bytes().toArray(ValueLayout.JAVA_BYTE), UTF_8);
    Map<String, PackedFunc> functions = new HashMap<>();
    for (PrimFunc kernel : TirText.parse(text, "kernels of the program on " + device)) {
      ReferenceKernels call = new ReferenceKernels(device, kernel);
      functions.put(kernel.name(), (args, result) -> call.submit(args));
    }
    for (String symbol : image.symbols()) {
      if (!functions.containsKey(symbol)) {
        throw new BackendException(
            ErrorKind.VALUE,
            "the image of kernels for " + device + " has no kernel '" + symbol + "'");
      }
    }
    return Module.of("kernels of the program on " + device, functions);
  }

  /** A tensor of a call; its memory stays readable when the block is released before the work. */
  private record TensorView(
      DeviceMemory memory, DType dtype, Shape shape, long[] strides, long byteOffset) {
    static TensorView of(Tensor tensor) {
      return new TensorView(
          tensor.storage().memory(),
          tensor.dtype(),
          tensor.shape(),
          tensor.strides(),
          tensor.byteOffset());
    }
  }

  private void submit(CallArgs args) {
    args.requireCount(kernel.name(), kernel.params().size());
    List<Object> values = new ArrayList<>();
    Map<DeviceMemory, MemorySegment> contents = new IdentityHashMap<>();
    for (int i = 0; i < args.count(); i++) {
      switch (kernel.params().get(i)) {
        case Param.OfBuffer _ -> {
          Tensor tensor = tensor(args, i);
          DeviceMemory memory = tensor.storage().memory();
          contents.put(memory, device.content(memory));
          values.add(TensorView.of(tensor));
        }
        case Param.OfScalar(Var var) -> values.add(scalar(args, i, var.dtype()));
        case Param.OfHandle handle ->
            throw new CallException(
                ErrorKind.VALUE, kernel.name() + " is a host function, which no device runs");
      }
    }
    VmContext vm = args.context();
    device.submit(vm.stream(vm.indexOf(device)), () -> run(values, contents));
  }

  private Tensor tensor(CallArgs args, int index) {
    Tensor tensor = args.tensorAt(index);
    if (!tensor.isLive() || !tensor.device().equals(device)) {
      throw new CallException(
          ErrorKind.VALUE,
          kernel.name()
              + ": expected an open tensor on "
              + device
              + " as argument "
              + index
              + ", but got "
              + tensor);
    }
    return tensor;
  }

  private static Object scalar(CallArgs args, int index, DType dtype) {
    if (dtype.equals(DType.BOOL)) {
      return args.booleanAt(index);
    }
    return dtype.isFloat() ? (Object) args.doubleAt(index) : (Object) args.longAt(index);
  }

  /** Each block is on the host meanwhile, whole, so that tensors that overlap there do so here. */
  private void run(List<Object> values, Map<DeviceMemory, MemorySegment> contents) {
    Map<DeviceMemory, Tensor> blocks = new IdentityHashMap<>();
    contents.forEach(
        (memory, content) -> {
          Tensor block = Tensor.zeros(DType.UINT8, Shape.of(content.byteSize()));
          block.segment().copyFrom(content);
          blocks.put(memory, block);
        });
    new Evaluator()
        .run(
            kernel,
            values.stream()
                .map(value -> value instanceof TensorView view ? onHost(view, blocks) : value)
                .toList());
    blocks.forEach(
        (memory, block) -> Objects.requireNonNull(contents.get(memory)).copyFrom(block.segment()));
  }

  private static Tensor onHost(TensorView view, Map<DeviceMemory, Tensor> blocks) {
    MemorySegment block = Objects.requireNonNull(blocks.get(view.memory)).segment();
    long elementBytes = view.dtype.elementByteSize();
    MemorySegment fromFirst = block.asSlice(view.byteOffset % elementBytes);
    return Tensor.wrap(fromFirst, view.dtype, Shape.of(fromFirst.byteSize() / elementBytes))
        .stridedView(view.shape, view.strides, view.byteOffset / elementBytes);
  }
}
