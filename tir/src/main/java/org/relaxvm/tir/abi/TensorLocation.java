package org.relaxvm.tir.abi;

import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.Device;

/** Where the tensors of a call have to be. Stateless. */
public interface TensorLocation {
  /** Memory of the host. */
  TensorLocation HOST =
      new TensorLocation() {
        @Override
        public boolean has(Tensor tensor) {
          return tensor.device().isHost();
        }

        @Override
        public boolean isWritable(Tensor tensor) {
          return !HostDevice.segmentOf(tensor.storage().memory()).isReadOnly();
        }

        @Override
        public String description() {
          return "a tensor on the host, such as toHost() gives";
        }
      };

  /** Memory of a device that is not the host. */
  static TensorLocation of(Device device) {
    return new TensorLocation() {
      @Override
      public boolean has(Tensor tensor) {
        return tensor.device().equals(device);
      }

      @Override
      public boolean isWritable(Tensor tensor) {
        return true;
      }

      @Override
      public String description() {
        return "a tensor on " + device;
      }
    };
  }

  /** Whether a tensor is there. */
  boolean has(Tensor tensor);

  /** Whether a kernel may write to a tensor that is there. */
  boolean isWritable(Tensor tensor);

  /** What a tensor that is there is called in messages. */
  String description();
}
