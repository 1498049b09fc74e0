package org.relaxvm.backendcuda.driver;

import java.lang.foreign.MemorySegment;
import java.util.Map;

/**
 * The calls of CUDA's driver API that this backend makes.
 *
 * <p>A code that means failure is thrown as {@link CudaStatusException}; releasing never throws,
 * since nobody could do anything about it. Who makes a handle releases it, once. Locations in
 * memory of a device, and in pinned memory of the host, are plain addresses. What belongs to a
 * device is called with that device's context, which the call makes current for its thread.
 *
 * <p>Thread-safe, as CUDA is, but for the use of one stream by two threads while it is captured.
 *
 * <p>Rationale: docs/rationale/backend-cuda.md, "Why do launches bypass JCuda?"
 */
public interface Cuda {
  /** {@code CUDA_SUCCESS}. */
  int SUCCESS = 0;

  /** The newest version of CUDA that the driver knows, such as 12060 for 12.6. */
  int driverVersion();

  /** How many devices this process sees. */
  int deviceCount();

  /** What a device says of itself. */
  DeviceReport report(int device);

  /** Free and all bytes of a device's memory now. */
  FreeMemory freeMemory(Handle.Context context);

  /** Bytes of memory now. */
  record FreeMemory(long free, long total) {}

  /** Holds the primary context of a device, which other libraries of this process share. */
  Handle.Context retainContext(int device);

  /** Makes a context current for the thread, for other libraries of CUDA. */
  void makeCurrent(Handle.Context context);

  /** Gives a context back. */
  void release(Handle.Context context);

  /** Lets kernels and copies of one context reach memory of another one. */
  void enablePeer(Handle.Context from, Handle.Context to);

  /** Whether one device can reach memory of another one. */
  boolean canReach(int device, int peer);

  /**
   * Takes memory of a device at once.
   *
   * @return its address, a multiple of 256
   */
  long allocate(Handle.Context context, long byteSize);

  /** Releases what {@link #allocate} gave, after all work of the device. */
  void free(Handle.Context context, long address);

  /** Takes memory of the device's pool in the order of a stream. */
  long allocateInOrder(Handle.Context context, long byteSize, Handle.Stream stream);

  /** Releases memory to the device's pool in the order of a stream. */
  void freeInOrder(Handle.Context context, long address, Handle.Stream stream);

  /** Takes memory of the host that copies need not stage. */
  MemorySegment allocatePinned(Handle.Context context, long byteSize);

  /** Releases what {@link #allocatePinned} gave. */
  void freePinned(Handle.Context context, MemorySegment memory);

  /** Copies host memory to a device; done at once only for memory that is not pinned. */
  void copyIn(Handle.Context context, MemorySegment source, long target, Handle.Stream stream);

  /** Copies memory of a device to the host; done when the stream is. */
  void copyOut(Handle.Context context, long source, MemorySegment target, Handle.Stream stream);

  /** Copies within a device. */
  void copyWithin(
      Handle.Context context, long source, long target, long byteSize, Handle.Stream stream);

  /** Copies from one device to another one, in the order of a stream of the second one. */
  void copyPeer(
      Handle.Context sourceContext,
      long source,
      Handle.Context targetContext,
      long target,
      long byteSize,
      Handle.Stream stream);

  /** Makes a stream that does not wait for the stream of other libraries. */
  Handle.Stream createStream(Handle.Context context);

  /** Waits for all that a stream was given. */
  void synchronize(Handle.Context context, Handle.Stream stream);

  /** Makes what a stream is given from now on wait for an event. */
  void waitFor(Handle.Context context, Handle.Stream stream, Handle.Event event);

  /** Releases a stream; what it was given is done all the same. */
  void release(Handle.Context context, Handle.Stream stream);

  /**
   * Makes an event.
   *
   * @param timing whether it keeps the time
   */
  Handle.Event createEvent(Handle.Context context, boolean timing);

  /** Marks the end of what a stream was given. */
  void record(Handle.Context context, Handle.Event event, Handle.Stream stream);

  /** Whether an event has come. */
  boolean isDone(Handle.Context context, Handle.Event event);

  /** Waits for an event. */
  void await(Handle.Context context, Handle.Event event);

  /** Milliseconds between two events that keep the time and have come. */
  float millisBetween(Handle.Context context, Handle.Event first, Handle.Event second);

  /** Releases an event. */
  void release(Handle.Context context, Handle.Event event);

  /**
   * Loads kernels.
   *
   * @param image a cubin, a fat binary, or PTX
   * @throws CudaStatusException with what the driver's compiler said of PTX
   */
  Handle.Module loadModule(Handle.Context context, byte[] image);

  /** Unloads kernels that no work uses. */
  void unload(Handle.Context context, Handle.Module module);

  /** A kernel of a module. */
  Handle.Function function(Handle.Context context, Handle.Module module, String name);

  /** What a kernel needs, and can be launched with. */
  FunctionReport report(Handle.Context context, Handle.Function function);

  /** Allows a kernel so much shared memory that is sized at its launch. */
  void allowDynamicShared(Handle.Context context, Handle.Function function, int byteSize);

  /** Launches a kernel; does not wait for it. */
  void launch(Handle.Context context, Handle.Stream stream, Launch launch);

  /** Records what a stream is given from now on instead of doing it. */
  void beginCapture(Handle.Context context, Handle.Stream stream);

  /** Ends what {@link #beginCapture} began, and makes what was recorded ready to be launched. */
  Handle.Graph endCapture(Handle.Context context, Handle.Stream stream);

  /** Does what was recorded, in the order of a stream. */
  void launch(Handle.Context context, Handle.Graph graph, Handle.Stream stream);

  /** Releases a graph that no work uses. */
  void release(Handle.Context context, Handle.Graph graph);

  /** How many handles of each kind were made and not released; kinds without any are left out. */
  Map<HandleKind, Long> liveHandles();
}
