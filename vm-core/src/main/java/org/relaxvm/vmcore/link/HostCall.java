package org.relaxvm.vmcore.link;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Preparable;

/**
 * A kernel of the host that is called with tensors of a device: they are copied to the host, and
 * those that the kernel wrote are copied back. Thread-safe as the kernel is.
 */
record HostCall(PackedFunc kernel) implements PackedFunc, Preparable {
  /** A tensor of a device, its copy, and what was in it; nobody writes a constant. */
  private record Staged(Tensor tensor, Tensor copy, @Nullable Tensor before) {
    boolean isOf(Tensor other) {
      return tensor.storage().equals(other.storage())
          && tensor.byteOffset() == other.byteOffset()
          && tensor.dtype().equals(other.dtype())
          && tensor.shape().equals(other.shape())
          && Arrays.equals(tensor.strides(), other.strides());
    }

    void writeBack() {
      if (before != null && copy.segment().mismatch(before.segment()) >= 0) {
        copy.copyInto(tensor);
      }
    }
  }

  @Override
  public void prepare() {
    if (kernel instanceof Preparable preparable) {
      preparable.prepare();
    }
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    VmContext vm = args.context();
    @Nullable Object[] refs = new Object[args.count()];
    long[] bits = new long[refs.length];
    List<Staged> staged = new ArrayList<>();
    for (int i = 0; i < refs.length; i++) {
      Object value = args.ref(i);
      bits[i] = args.bits(i);
      refs[i] =
          value instanceof Tensor tensor && !tensor.device().isHost()
              ? copyOf(tensor, vm, staged)
              : value;
    }
    kernel.call(CallArgs.ofTagged(vm, refs, bits), result);
    staged.forEach(Staged::writeBack);
  }

  private static Tensor copyOf(Tensor tensor, VmContext vm, List<Staged> staged) {
    for (Staged known : staged) {
      if (known.isOf(tensor)) {
        return known.copy;
      }
    }
    finishWork(vm, tensor.device());
    Tensor copy = tensor.toHost();
    staged.add(new Staged(tensor, copy, tensor.isConstant() ? null : copy.toHost()));
    return copy;
  }

  private static void finishWork(VmContext vm, Device device) {
    int index = vm.indexOf(device);
    if (index >= 0) {
      vm.stream(index).synchronize();
    }
  }
}
