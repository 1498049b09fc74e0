package org.relaxvm.backendopencl.driver;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.jocl.cl_command_queue;
import org.jocl.cl_context;
import org.jocl.cl_device_id;
import org.jocl.cl_event;
import org.jocl.cl_kernel;
import org.jocl.cl_mem;
import org.jocl.cl_platform_id;
import org.jocl.cl_program;
import org.jspecify.annotations.Nullable;

/**
 * The calls of OpenCL 1.2 that this backend makes.
 *
 * <p>A code that means failure is thrown as {@link OpenClStatusException}; releasing never throws,
 * since nobody could do anything about it. Who makes a handle releases it, once. Methods that take
 * a nullable {@code cl_event} fill it when it is given; it is then a handle like the others.
 *
 * <p>Thread-safe as OpenCL is: everything but {@link #setArgument} on one kernel.
 */
public interface OpenCl {
  /** {@code CL_PLATFORM_NOT_FOUND_KHR}: what a loader without drivers gives. */
  int PLATFORM_NOT_FOUND = -1001;

  /** What drivers of NVIDIA give after a kernel touched foreign memory. */
  int NVIDIA_ILLEGAL_ACCESS = -9999;

  /** All platforms, in the loader's order. */
  List<cl_platform_id> platforms();

  /** All devices of a platform in its order; empty when it has none. */
  List<cl_device_id> devices(cl_platform_id platform);

  /** A text that a platform says of itself, such as {@code CL_PLATFORM_NAME}. */
  String text(cl_platform_id platform, int name);

  /** A text that a device says of itself, such as {@code CL_DEVICE_NAME}. */
  String text(cl_device_id device, int name);

  /** A number or a boolean that a device says of itself, of 4 or 8 bytes. */
  long number(cl_device_id device, int name);

  /** Makes a context for one device. */
  cl_context createContext(cl_platform_id platform, cl_device_id device);

  /** Makes a queue that works in order. */
  cl_command_queue createQueue(cl_context context, cl_device_id device, boolean profiling);

  /** Makes memory for reading and writing, of one byte at least. */
  cl_mem createBuffer(cl_context context, long byteSize);

  /**
   * Makes memory with a content, which may be reused when the method returns.
   *
   * @param content direct; from its start to its limit
   */
  cl_mem createBuffer(cl_context context, ByteBuffer content);

  /** Makes a part of a buffer; its origin must be aligned as the device demands. */
  cl_mem createSubBuffer(cl_mem buffer, long origin, long byteSize);

  /** Makes a program of OpenCL C. */
  cl_program createProgram(cl_context context, String source);

  /** Makes a program of what {@link #binary} gave, or another compiler made. */
  cl_program createProgram(cl_context context, cl_device_id device, byte[] binary);

  /** Compiles and links a program. */
  void build(cl_program program, cl_device_id device, String options);

  /** What the compiler said; empty when it said nothing. */
  String buildLog(cl_program program, cl_device_id device);

  /** A program as its device keeps it. */
  byte[] binary(cl_program program);

  /** Makes a kernel of a program that was built. */
  cl_kernel createKernel(cl_program program, String name);

  /** The largest work-group that a kernel can be launched in. */
  long maxWorkGroupSize(cl_kernel kernel, cl_device_id device);

  /** Gives a kernel memory; null is the null pointer. */
  void setArgument(cl_kernel kernel, int index, @Nullable cl_mem memory);

  /** Gives a kernel a number of 4 or 8 bytes. */
  void setArgument(cl_kernel kernel, int index, int byteSize, long bits);

  /**
   * Copies host bytes to memory, and waits for it.
   *
   * @param source direct; from its start to its limit
   */
  void write(
      cl_command_queue queue,
      cl_mem target,
      long offset,
      ByteBuffer source,
      @Nullable cl_event event);

  /**
   * Copies memory to the host, and waits for it.
   *
   * @param target direct; from its start to its limit
   */
  void read(
      cl_command_queue queue,
      cl_mem source,
      long offset,
      ByteBuffer target,
      @Nullable cl_event event);

  /** Copies between memory of one context. */
  void copy(
      cl_command_queue queue,
      cl_mem source,
      long sourceOffset,
      cl_mem target,
      long targetOffset,
      long byteSize,
      @Nullable cl_event event);

  /** Launches a kernel with the arguments that it was given. */
  void launch(
      cl_command_queue queue,
      cl_kernel kernel,
      long[] global,
      long[] local,
      @Nullable cl_event event);

  /** Marks the end of what the queue has been given. */
  void mark(cl_command_queue queue, cl_event event);

  /** Makes what a queue is given from now on wait for an event. */
  void barrier(cl_command_queue queue, cl_event waitFor);

  /** Sees to it that the device gets all that a queue has been given. */
  void flush(cl_command_queue queue);

  /** Waits for all that a queue has been given. */
  void finish(cl_command_queue queue);

  /** Waits for an event. */
  void await(cl_event event);

  /** The state of an event: {@code CL_COMPLETE} is 0, a failure negative, all else positive. */
  int status(cl_event event);

  /** A time of an event in nanoseconds, such as {@code CL_PROFILING_COMMAND_START}. */
  long profilingNanos(cl_event event, int name);

  /** Releases a context. */
  void release(cl_context context);

  /** Releases a queue. */
  void release(cl_command_queue queue);

  /** Releases memory; work that uses it still has it. */
  void release(cl_mem memory);

  /** Releases a program. */
  void release(cl_program program);

  /** Releases a kernel. */
  void release(cl_kernel kernel);

  /** Releases an event. */
  void release(cl_event event);

  /** How many handles of each kind were made and not released; kinds without any are left out. */
  Map<HandleKind, Long> liveHandles();
}
