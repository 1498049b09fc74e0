package org.relaxvm.backendopencl.driver;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jocl.CL;
import org.jocl.Pointer;
import org.jocl.Sizeof;
import org.jocl.cl_buffer_region;
import org.jocl.cl_command_queue;
import org.jocl.cl_context;
import org.jocl.cl_context_properties;
import org.jocl.cl_device_id;
import org.jocl.cl_event;
import org.jocl.cl_kernel;
import org.jocl.cl_mem;
import org.jocl.cl_platform_id;
import org.jocl.cl_program;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendsupport.gpu.device.LiveHandles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * OpenCL through JOCL.
 *
 * <p>Transfers block because JOCL keeps a thread for each one that does not.
 */
public final class JoclDriver implements OpenCl {
  private final Logger log = LoggerFactory.getLogger(JoclDriver.class);
  private final LiveHandles<HandleKind> live = new LiveHandles<>(HandleKind.class);
  private final SignalGuard signals = SignalGuard.PROCESS;

  private JoclDriver() {}

  /**
   * Loads the library.
   *
   * @throws org.relaxvm.api.error.BackendException when there is none, with what to do
   */
  public static JoclDriver load() {
    JoclLibrary.load();
    return new JoclDriver();
  }

  @Override
  public List<cl_platform_id> platforms() {
    try (SignalGuard.Section _ = signals.enter()) {
      int[] count = new int[1];
      check("clGetPlatformIDs", CL.clGetPlatformIDs(0, null, count));
      cl_platform_id[] platforms = new cl_platform_id[count[0]];
      if (platforms.length > 0) {
        check("clGetPlatformIDs", CL.clGetPlatformIDs(platforms.length, platforms, null));
      }
      return List.of(platforms);
    }
  }

  @Override
  public List<cl_device_id> devices(cl_platform_id platform) {
    try (SignalGuard.Section _ = signals.enter()) {
      int[] count = new int[1];
      int code = CL.clGetDeviceIDs(platform, CL.CL_DEVICE_TYPE_ALL, 0, null, count);
      if (code == CL.CL_DEVICE_NOT_FOUND || (count[0] == 0 && code == CL.CL_SUCCESS)) {
        return List.of();
      }
      check("clGetDeviceIDs", code);
      cl_device_id[] devices = new cl_device_id[count[0]];
      check(
          "clGetDeviceIDs",
          CL.clGetDeviceIDs(platform, CL.CL_DEVICE_TYPE_ALL, devices.length, devices, null));
      return List.of(devices);
    }
  }

  @Override
  public String text(cl_platform_id platform, int name) {
    return text(
        bytes(
            "clGetPlatformInfo",
            (size, to, needed) -> CL.clGetPlatformInfo(platform, name, size, to, needed)));
  }

  @Override
  public String text(cl_device_id device, int name) {
    return text(
        bytes(
            "clGetDeviceInfo",
            (size, to, needed) -> CL.clGetDeviceInfo(device, name, size, to, needed)));
  }

  @Override
  public long number(cl_device_id device, int name) {
    return number(
        bytes(
            "clGetDeviceInfo",
            (size, to, needed) -> CL.clGetDeviceInfo(device, name, size, to, needed)));
  }

  @Override
  public cl_context createContext(cl_platform_id platform, cl_device_id device) {
    cl_context_properties properties = new cl_context_properties();
    properties.addProperty(CL.CL_CONTEXT_PLATFORM, platform);
    int[] code = new int[1];
    try (SignalGuard.Section _ = signals.enter()) {
      cl_context made =
          CL.clCreateContext(properties, 1, new cl_device_id[] {device}, null, null, code);
      return made(HandleKind.CONTEXT, "clCreateContext", code, made);
    }
  }

  @Override
  @SuppressWarnings("deprecation") // Its successor is missing where OpenCL is older than 2.0.
  public cl_command_queue createQueue(cl_context context, cl_device_id device, boolean profiling) {
    int[] code = new int[1];
    long properties = profiling ? CL.CL_QUEUE_PROFILING_ENABLE : 0;
    cl_command_queue made = CL.clCreateCommandQueue(context, device, properties, code);
    return made(HandleKind.QUEUE, "clCreateCommandQueue", code, made);
  }

  @Override
  public cl_mem createBuffer(cl_context context, long byteSize) {
    int[] code = new int[1];
    cl_mem made = CL.clCreateBuffer(context, CL.CL_MEM_READ_WRITE, byteSize, null, code);
    return made(HandleKind.BUFFER, "clCreateBuffer", code, made);
  }

  @Override
  public cl_mem createBuffer(cl_context context, ByteBuffer content) {
    int[] code = new int[1];
    long flags = CL.CL_MEM_READ_ONLY | CL.CL_MEM_COPY_HOST_PTR;
    cl_mem made = CL.clCreateBuffer(context, flags, content.limit(), Pointer.to(content), code);
    return made(HandleKind.BUFFER, "clCreateBuffer", code, made);
  }

  @Override
  public cl_mem createSubBuffer(cl_mem buffer, long origin, long byteSize) {
    int[] code = new int[1];
    cl_mem made =
        CL.clCreateSubBuffer(
            buffer,
            CL.CL_MEM_READ_WRITE,
            CL.CL_BUFFER_CREATE_TYPE_REGION,
            new cl_buffer_region(origin, byteSize),
            code);
    return made(HandleKind.BUFFER, "clCreateSubBuffer", code, made);
  }

  @Override
  public cl_program createProgram(cl_context context, String source) {
    int[] code = new int[1];
    cl_program made = CL.clCreateProgramWithSource(context, 1, new String[] {source}, null, code);
    return made(HandleKind.PROGRAM, "clCreateProgramWithSource", code, made);
  }

  @Override
  public cl_program createProgram(cl_context context, cl_device_id device, byte[] binary) {
    int[] code = new int[1];
    cl_program made =
        CL.clCreateProgramWithBinary(
            context,
            1,
            new cl_device_id[] {device},
            new long[] {binary.length},
            new byte[][] {binary},
            new int[1],
            code);
    return made(HandleKind.PROGRAM, "clCreateProgramWithBinary", code, made);
  }

  @Override
  public void build(cl_program program, cl_device_id device, String options) {
    try (SignalGuard.Section _ = signals.enter()) {
      check(
          "clBuildProgram",
          CL.clBuildProgram(program, 1, new cl_device_id[] {device}, options, null, null));
    }
  }

  @Override
  public String buildLog(cl_program program, cl_device_id device) {
    return text(
        bytes(
            "clGetProgramBuildInfo",
            (size, to, needed) ->
                CL.clGetProgramBuildInfo(
                    program, device, CL.CL_PROGRAM_BUILD_LOG, size, to, needed)));
  }

  @Override
  public byte[] binary(cl_program program) {
    long size =
        number(
            bytes(
                "clGetProgramInfo",
                (room, to, needed) ->
                    CL.clGetProgramInfo(program, CL.CL_PROGRAM_BINARY_SIZES, room, to, needed)));
    byte[] binary = new byte[Math.toIntExact(size)];
    check(
        "clGetProgramInfo",
        CL.clGetProgramInfo(
            program, CL.CL_PROGRAM_BINARIES, Sizeof.POINTER, Pointer.to(Pointer.to(binary)), null));
    return binary;
  }

  @Override
  public cl_kernel createKernel(cl_program program, String name) {
    int[] code = new int[1];
    cl_kernel made = CL.clCreateKernel(program, name, code);
    return made(HandleKind.KERNEL, "clCreateKernel", code, made);
  }

  @Override
  public long maxWorkGroupSize(cl_kernel kernel, cl_device_id device) {
    return number(
        bytes(
            "clGetKernelWorkGroupInfo",
            (size, to, needed) ->
                CL.clGetKernelWorkGroupInfo(
                    kernel, device, CL.CL_KERNEL_WORK_GROUP_SIZE, size, to, needed)));
  }

  @Override
  public void setArgument(cl_kernel kernel, int index, @Nullable cl_mem memory) {
    Pointer value = memory == null ? null : Pointer.to(memory);
    check("clSetKernelArg", CL.clSetKernelArg(kernel, index, Sizeof.cl_mem, value));
  }

  @Override
  public void setArgument(cl_kernel kernel, int index, int byteSize, long bits) {
    Pointer value =
        byteSize == Integer.BYTES
            ? Pointer.to(new int[] {(int) bits})
            : Pointer.to(new long[] {bits});
    check("clSetKernelArg", CL.clSetKernelArg(kernel, index, byteSize, value));
  }

  @Override
  public void write(
      cl_command_queue queue,
      cl_mem target,
      long offset,
      ByteBuffer source,
      @Nullable cl_event event) {
    Pointer from = Pointer.to(source);
    check(
        "clEnqueueWriteBuffer",
        CL.clEnqueueWriteBuffer(queue, target, true, offset, source.limit(), from, 0, null, event),
        event);
  }

  @Override
  public void read(
      cl_command_queue queue,
      cl_mem source,
      long offset,
      ByteBuffer target,
      @Nullable cl_event event) {
    Pointer to = Pointer.to(target);
    check(
        "clEnqueueReadBuffer",
        CL.clEnqueueReadBuffer(queue, source, true, offset, target.limit(), to, 0, null, event),
        event);
  }

  @Override
  public void copy(
      cl_command_queue queue,
      cl_mem source,
      long sourceOffset,
      cl_mem target,
      long targetOffset,
      long byteSize,
      @Nullable cl_event event) {
    check(
        "clEnqueueCopyBuffer",
        CL.clEnqueueCopyBuffer(
            queue, source, target, sourceOffset, targetOffset, byteSize, 0, null, event),
        event);
  }

  @Override
  public void launch(
      cl_command_queue queue,
      cl_kernel kernel,
      long[] global,
      long[] local,
      @Nullable cl_event event) {
    check(
        "clEnqueueNDRangeKernel",
        CL.clEnqueueNDRangeKernel(
            queue, kernel, global.length, null, global, local, 0, null, event),
        event);
  }

  @Override
  public void mark(cl_command_queue queue, cl_event event) {
    check(
        "clEnqueueMarkerWithWaitList",
        CL.clEnqueueMarkerWithWaitList(queue, 0, null, event),
        event);
  }

  @Override
  public void barrier(cl_command_queue queue, cl_event waitFor) {
    check(
        "clEnqueueBarrierWithWaitList",
        CL.clEnqueueBarrierWithWaitList(queue, 1, new cl_event[] {waitFor}, null));
  }

  @Override
  public void flush(cl_command_queue queue) {
    check("clFlush", CL.clFlush(queue));
  }

  @Override
  public void finish(cl_command_queue queue) {
    check("clFinish", CL.clFinish(queue));
  }

  @Override
  public void await(cl_event event) {
    check("clWaitForEvents", CL.clWaitForEvents(1, new cl_event[] {event}));
  }

  @Override
  public int status(cl_event event) {
    return (int)
        number(
            bytes(
                "clGetEventInfo",
                (size, to, needed) ->
                    CL.clGetEventInfo(
                        event, CL.CL_EVENT_COMMAND_EXECUTION_STATUS, size, to, needed)));
  }

  @Override
  public long profilingNanos(cl_event event, int name) {
    return number(
        bytes(
            "clGetEventProfilingInfo",
            (size, to, needed) -> CL.clGetEventProfilingInfo(event, name, size, to, needed)));
  }

  @Override
  public void release(cl_context context) {
    released(HandleKind.CONTEXT, CL.clReleaseContext(context));
  }

  @Override
  public void release(cl_command_queue queue) {
    released(HandleKind.QUEUE, CL.clReleaseCommandQueue(queue));
  }

  @Override
  public void release(cl_mem memory) {
    released(HandleKind.BUFFER, CL.clReleaseMemObject(memory));
  }

  @Override
  public void release(cl_program program) {
    released(HandleKind.PROGRAM, CL.clReleaseProgram(program));
  }

  @Override
  public void release(cl_kernel kernel) {
    released(HandleKind.KERNEL, CL.clReleaseKernel(kernel));
  }

  @Override
  public void release(cl_event event) {
    released(HandleKind.EVENT, CL.clReleaseEvent(event));
  }

  @Override
  public Map<HandleKind, Long> liveHandles() {
    return live.counts();
  }

  private interface Query {
    int ask(long size, @Nullable Pointer to, long @Nullable [] needed);
  }

  private static byte[] bytes(String call, Query query) {
    long[] needed = new long[1];
    check(call, query.ask(0, null, needed));
    byte[] bytes = new byte[Math.toIntExact(needed[0])];
    if (bytes.length > 0) {
      check(call, query.ask(bytes.length, Pointer.to(bytes), null));
    }
    return bytes;
  }

  private static String text(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return new String(Arrays.copyOf(bytes, end), UTF_8).strip();
  }

  private static long number(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    return bytes.length == Integer.BYTES ? buffer.getInt() : buffer.getLong();
  }

  private static void check(String call, int code) {
    if (code != CL.CL_SUCCESS) {
      throw new OpenClStatusException(call, code);
    }
  }

  private void check(String call, int code, @Nullable cl_event event) {
    check(call, code);
    if (event != null) {
      live.made(HandleKind.EVENT);
    }
  }

  private <T> T made(HandleKind kind, String call, int[] code, @Nullable T handle) {
    check(call, code[0]);
    if (handle == null) {
      throw new OpenClStatusException(call, CL.CL_INVALID_VALUE);
    }
    live.made(kind);
    return handle;
  }

  private void released(HandleKind kind, int code) {
    live.released(kind);
    if (code != CL.CL_SUCCESS) {
      log.debug("releasing a handle ({}) gave {}", kind, StatusNames.of(code));
    }
  }
}
