package org.relaxvm.builtins;

import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.host.HostDevice;

/** Allocation from the allocators of a VM. */
final class DeviceMemories {
  private DeviceMemories() {}

  /** A storage for a tensor, with one owner. */
  static Storage allocateStorage(
      VmContext vm, DType dtype, Shape shape, int deviceIndex, String scope) {
    if (deviceIndex < Devices.HOST || deviceIndex >= vm.devices().size()) {
      throw new CallException(
              ErrorKind.INTERNAL,
              "there is no device "
                  + deviceIndex
                  + ": the devices of the virtual machine are "
                  + Devices.describe(vm.devices())
                  + ", and -1 is the host")
          .withTvmMessage("The device index is out of VM physical devices list");
    }
    long byteSize = dtype.byteSize(shape.elementCount());
    return vm.allocator(deviceIndex)
        .allocate(byteSize, alignmentOf(dtype), scope, vm.stream(deviceIndex));
  }

  /** A compact tensor with a storage of its own. */
  static Tensor allocate(VmContext vm, DType dtype, Shape shape, int deviceIndex, String scope) {
    Storage storage = allocateStorage(vm, dtype, shape, deviceIndex, scope);
    try {
      return Tensor.view(storage, 0, dtype, shape);
    } finally {
      storage.release();
    }
  }

  /** At least the host's own, and that of the widest vector the dtype stands for. */
  private static long alignmentOf(DType dtype) {
    long elementBytes = (long) dtype.bits() * dtype.lanes() / 8;
    return elementBytes <= HostDevice.ALIGNMENT
        ? HostDevice.ALIGNMENT
        : Long.highestOneBit(elementBytes - 1) << 1;
  }
}
