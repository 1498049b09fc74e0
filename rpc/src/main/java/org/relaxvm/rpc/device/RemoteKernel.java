package org.relaxvm.rpc.device;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.rpc.wire.DeviceProtocol;
import org.relaxvm.rpc.wire.TensorView;

/** A kernel on a server. It is submitted to the stream of the call, and sets no result. */
final class RemoteKernel implements PackedFunc {
  private final RemoteDevice device;
  private final RemoteModules modules;
  private final String name;
  private final long handle;
  private final @Nullable KernelSignature signature;

  /**
   * A kernel.
   *
   * @param handle of the function
   * @param signature of a function of the kernel library, to check arguments before they are sent
   */
  RemoteKernel(
      RemoteDevice device,
      RemoteModules modules,
      String name,
      long handle,
      @Nullable KernelSignature signature) {
    this.device = device;
    this.modules = modules;
    this.name = name;
    this.handle = handle;
    this.signature = signature;
  }

  /** The handle of the function. */
  long handle() {
    return handle;
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    device.requireOpen();
    if (signature != null) {
      signature.check(args);
    }
    Packing packing = new Packing();
    for (int i = 0; i < args.count(); i++) {
      packing.add(i, args.at(i));
    }
    long function = handle;
    @Nullable Object[] values = packing.values.toArray();
    if (packing.isCompound) {
      function = device.open(() -> modules.handleOf(DeviceProtocol.INVOKE));
      values = packing.withLayout();
    }
    submit(args.contextOrNull(), function, values);
    result.setNull();
  }

  private void submit(@Nullable VmContext context, long function, @Nullable Object[] values) {
    int index = context == null ? -1 : context.indexOf(device);
    if (context != null && index >= 0) {
      device.launch(context.stream(index), function, values);
      return;
    }
    try (RemoteStream own = new RemoteStream(device)) {
      device.launch(own, function, values);
      own.synchronize();
    }
  }

  /** Arguments as values of the protocol, and the layout of those that it does not have. */
  private final class Packing {
    final List<@Nullable Object> values = new ArrayList<>();
    private final StringBuilder layout = new StringBuilder();
    boolean isCompound;

    void add(int index, @Nullable Object value) {
      switch (value) {
        case Shape shape -> {
          isCompound = true;
          layout.append('S').append(shape.rank()).append('.');
          for (long dim : shape.toArray()) {
            values.add(dim);
          }
        }
        case Tuple tuple -> {
          isCompound = true;
          layout.append('T').append(tuple.size()).append('.');
          for (int i = 0; i < tuple.size(); i++) {
            add(index, tuple.get(i));
          }
        }
        case Tensor tensor when isCompact(tensor) -> plain(view(index, tensor));
        case Tensor tensor -> strided(index, tensor);
        case Storage storage -> {
          requireHere(index, storage);
          plain(device.bytes(storage.memory(), 0, storage.byteSize()));
        }
        case null -> plain(null);
        case Long _, Double _, Boolean _, String _, DType _ -> plain(value);
        case byte[] bytes -> plain(bytes.clone());
        default ->
            throw new CallException(
                ErrorKind.TYPE,
                "argument #" + index + " of " + name + " cannot be sent to " + device);
      }
    }

    /** All the memory, then dtype, offset in bytes, extents and strides. */
    private void strided(int index, Tensor tensor) {
      requireUsable(index, tensor);
      isCompound = true;
      Storage storage = tensor.storage();
      layout.append('R').append(tensor.shape().rank()).append('.');
      values.add(device.bytes(storage.memory(), 0, storage.byteSize()));
      values.add(tensor.dtype());
      values.add(tensor.byteOffset());
      for (long dim : tensor.shape().toArray()) {
        values.add(dim);
      }
      for (long stride : tensor.strides()) {
        values.add(stride);
      }
    }

    private void plain(@Nullable Object value) {
      layout.append('v');
      values.add(value);
    }

    @Nullable Object[] withLayout() {
      @Nullable Object[] all = new Object[values.size() + 2];
      all[0] = RemoteModules.function(handle);
      all[1] = layout.toString();
      for (int i = 0; i < values.size(); i++) {
        all[i + 2] = values.get(i);
      }
      return all;
    }
  }

  /** Also whether the strides of an empty tensor are those of a compact one: kernels check them. */
  private static boolean isCompact(Tensor tensor) {
    long[] strides = tensor.strides();
    long expected = 1;
    for (int axis = strides.length - 1; axis >= 0; axis--) {
      if (strides[axis] != expected && tensor.shape().dim(axis) != 1) {
        return false;
      }
      expected *= Math.max(1, tensor.shape().dim(axis));
    }
    return true;
  }

  private void requireUsable(int index, Tensor tensor) {
    if (!tensor.isLive()) {
      throw new CallException(
          ErrorKind.VALUE, "argument #" + index + " of " + name + " is a closed tensor");
    }
    requireHere(index, tensor.storage());
  }

  private TensorView view(int index, Tensor tensor) {
    requireUsable(index, tensor);
    return new TensorView(
        device.handle(tensor.storage().memory()),
        device.description().device(),
        tensor.dtype(),
        tensor.shape(),
        tensor.byteOffset());
  }

  private void requireHere(int index, Storage storage) {
    if (!storage.device().equals(device)) {
      throw new CallException(
          ErrorKind.VALUE,
          "argument #"
              + index
              + " of "
              + name
              + " must be on "
              + device
              + ", but is on "
              + storage.device());
    }
  }

  @Override
  public String toString() {
    return name + " on " + device;
  }
}
