package org.relaxvm.backendopencl.driver;

/** What a handle of OpenCL stands for. */
public enum HandleKind {
  /** A device in use: {@code cl_context}. */
  CONTEXT,
  /** A {@code cl_command_queue}. */
  QUEUE,
  /** Memory, a part of other memory included: {@code cl_mem}. */
  BUFFER,
  /** A {@code cl_program}. */
  PROGRAM,
  /** A {@code cl_kernel}. */
  KERNEL,
  /** A {@code cl_event}. */
  EVENT
}
