package org.relaxvm.backendcuda.driver;

import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdeviceptr;
import jcuda.driver.CUevent;
import jcuda.driver.CUgraphExec;
import jcuda.driver.CUstream;

/** JCuda's types, which do not tell their addresses by themselves. */
final class JcudaHandles {
  private JcudaHandles() {}

  static final class Context extends CUcontext implements Handle.Context {
    private final int device;

    Context(int device) {
      this.device = device;
    }

    /** Whose primary context it is. */
    int device() {
      return device;
    }

    @Override
    public long address() {
      return getNativePointer();
    }
  }

  static final class Stream extends CUstream implements Handle.Stream {
    @Override
    public long address() {
      return getNativePointer();
    }
  }

  static final class Event extends CUevent implements Handle.Event {
    @Override
    public long address() {
      return getNativePointer();
    }
  }

  static final class Graph extends CUgraphExec implements Handle.Graph {
    @Override
    public long address() {
      return getNativePointer();
    }
  }

  /** A location in memory of a device. */
  static final class DeviceAddress extends CUdeviceptr {
    /** Filled by an allocation. */
    DeviceAddress() {}

    /** Any address: a null pointer with this many bytes after it. */
    DeviceAddress(long address) {
      super(new CUdeviceptr(), address);
    }

    long address() {
      return getNativePointer() + getByteOffset();
    }
  }

  /** A location in memory of the host. */
  static final class HostAddress extends Pointer {
    HostAddress(long address) {
      super(address);
    }
  }
}
