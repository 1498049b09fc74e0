package org.relaxvm.api;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CaptureException;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;

/**
 * The little that functions see of the VM call they run in. Bytecode passes it as {@code %vm};
 * kernels reach it through {@link CallArgs#context()}.
 *
 * <p>A context belongs to one call that is under way and is valid until that call ends. It is used
 * by the thread that runs the call.
 */
public interface VmContext {
  /** The VM's devices; the last one is the host CPU, which may be there before, too. */
  List<Device> devices();

  /**
   * The allocator of a device.
   *
   * @param deviceIndex index into {@link #devices()}; -1 means the host
   * @throws org.relaxvm.api.error.CallException when there is no such device
   */
  Allocator allocator(int deviceIndex);

  /**
   * This call's stream on a device.
   *
   * @param deviceIndex as for {@link #allocator}
   */
  Stream stream(int deviceIndex);

  /** The index of a device in {@link #devices()}, or -1 when it is none of the VM's devices. */
  int indexOf(Device device);

  /**
   * The index of the device that the program means by DLPack's type code and a number, or -1 when
   * there is none. By default that of the device with this name; a VM in which another device
   * replaces it gives that one.
   */
  default int indexOf(long typeCode, long ordinal) {
    List<Device> devices = devices();
    for (int i = 0; i < devices.size(); i++) {
      if (devices.get(i).id().typeCode() == typeCode && devices.get(i).id().ordinal() == ordinal) {
        return i;
      }
    }
    return -1;
  }

  /** The threads for parallel work on the host. */
  WorkerPool workers();

  /**
   * Calls a value: a {@link PackedFunc} or a {@link Closure}.
   *
   * @throws org.relaxvm.api.error.CallException {@code Function expects a closure or ffi::Function}
   *     for any other value
   */
  void invoke(@Nullable Object callee, CallArgs args, CallResult result);

  /**
   * Whether {@link #record} can be called for a device: its streams record work, and this call is
   * not itself a part of a recording.
   *
   * @param deviceIndex as for {@link #allocator}
   */
  default boolean canRecord(int deviceIndex) {
    return false;
  }

  /**
   * Calls a value and records the work that it gives to a device, which is not done meanwhile. The
   * callee sees a stream and an allocator of the recording's own. Work that this call submitted
   * before is not waited for: what is recorded is ordered by the stream to which it is submitted.
   *
   * @param deviceIndex as for {@link #allocator}
   * @return what was recorded; the caller closes it
   * @throws org.relaxvm.api.error.CaptureException when the call does what cannot be recorded, or
   *     nothing can be recorded here
   */
  default Recording record(int deviceIndex, @Nullable Object callee, CallArgs args) {
    throw new CaptureException("this context records no work of devices");
  }

  /**
   * The work that a call gave to a device, with the memory that it uses and the result of the call.
   * Tensors of the result are in the same memory each time the work is done, and have no content
   * before the first time. Used by one thread at a time.
   */
  interface Recording extends AutoCloseable {
    /** The result of the call, borrowed; a scalar boxed. */
    @Nullable Object result();

    /** How many kernels and copies were recorded. */
    int size();

    /**
     * Enqueues all of it and does not wait for it.
     *
     * @param stream of the device whose work was recorded
     */
    void submit(Stream stream);

    /**
     * Waits for submitted work and releases what the recording holds; what others still own of the
     * result stays usable. Closing again does nothing.
     */
    @Override
    void close();
  }

  /** A function by its global name, as function providers and the VM's user registered them. */
  Optional<PackedFunc> findFunction(String name);

  /**
   * State that a function keeps for the life of the VM, made on first use and shared by all calls.
   *
   * @param key one object per class; closed with the VM when it is {@link AutoCloseable}
   */
  <T> T attachment(Class<T> key, Supplier<? extends T> factory);
}
