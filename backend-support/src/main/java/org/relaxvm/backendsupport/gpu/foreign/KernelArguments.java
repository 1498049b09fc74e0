package org.relaxvm.backendsupport.gpu.foreign;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.Storage;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.KernelEntry;

/** Reads what the parameters of a {@link KernelEntry} are given by a call. Stateless. */
public final class KernelArguments {
  private KernelArguments() {}

  /**
   * The arguments of a call in the order of the parameters; the sizes of the launch that follow
   * them are read by {@link org.relaxvm.api.spi.KernelLaunch}.
   *
   * @param device where all memory must be
   * @return one for each parameter; valid as long as what the call was given is
   * @throws org.relaxvm.api.error.CallException a {@code TypeError} for a wrong number of arguments
   *     or one of another kind, a {@code ValueError} for memory of another device
   */
  public static List<KernelArgument> of(KernelEntry entry, CallArgs args, Device device) {
    entry.requireCount(args);
    int count = entry.parameters().size();
    List<KernelArgument> read = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      read.add(argument(entry, args, i, device));
    }
    return read;
  }

  private static KernelArgument argument(
      KernelEntry entry, CallArgs args, int index, Device device) {
    if (entry.isMemory(index)) {
      Storage storage = entry.storageAt(args, index, device);
      return storage == null
          ? new KernelArgument.Memory(null, 0)
          : new KernelArgument.Memory(storage.memory(), entry.byteOffsetAt(args, index));
    }
    if (entry.tensorMaps().contains(index)) {
      return new KernelArgument.TensorMap(entry.tensorMapAt(args, index));
    }
    int byteSize = entry.parameters().get(index).bits() / Byte.SIZE;
    return new KernelArgument.Scalar(byteSize, entry.scalarBits(args, index));
  }
}
