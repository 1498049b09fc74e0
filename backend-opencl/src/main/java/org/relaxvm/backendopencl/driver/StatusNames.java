package org.relaxvm.backendopencl.driver;

import java.util.List;

/** The names of codes, known without loading any library. */
final class StatusNames {
  /** From -1 down. */
  private static final List<String> RUNTIME =
      """
      DEVICE_NOT_FOUND DEVICE_NOT_AVAILABLE COMPILER_NOT_AVAILABLE MEM_OBJECT_ALLOCATION_FAILURE
      OUT_OF_RESOURCES OUT_OF_HOST_MEMORY PROFILING_INFO_NOT_AVAILABLE MEM_COPY_OVERLAP
      IMAGE_FORMAT_MISMATCH IMAGE_FORMAT_NOT_SUPPORTED BUILD_PROGRAM_FAILURE MAP_FAILURE
      MISALIGNED_SUB_BUFFER_OFFSET EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
      COMPILE_PROGRAM_FAILURE LINKER_NOT_AVAILABLE LINK_PROGRAM_FAILURE DEVICE_PARTITION_FAILED
      KERNEL_ARG_INFO_NOT_AVAILABLE\
      """
          .lines()
          .flatMap(line -> List.of(line.split(" ")).stream())
          .toList();

  private static final int FIRST_INVALID = 30;

  /** From -30 down. */
  private static final List<String> INVALID =
      """
      VALUE DEVICE_TYPE PLATFORM DEVICE CONTEXT QUEUE_PROPERTIES COMMAND_QUEUE HOST_PTR MEM_OBJECT
      IMAGE_FORMAT_DESCRIPTOR IMAGE_SIZE SAMPLER BINARY BUILD_OPTIONS PROGRAM PROGRAM_EXECUTABLE
      KERNEL_NAME KERNEL_DEFINITION KERNEL ARG_INDEX ARG_VALUE ARG_SIZE KERNEL_ARGS WORK_DIMENSION
      WORK_GROUP_SIZE WORK_ITEM_SIZE GLOBAL_OFFSET EVENT_WAIT_LIST EVENT OPERATION GL_OBJECT
      BUFFER_SIZE MIP_LEVEL GLOBAL_WORK_SIZE PROPERTY IMAGE_DESCRIPTOR COMPILER_OPTIONS
      LINKER_OPTIONS DEVICE_PARTITION_COUNT PIPE_SIZE DEVICE_QUEUE\
      """
          .lines()
          .flatMap(line -> List.of(line.split(" ")).stream())
          .toList();

  private StatusNames() {}

  /** A code as people know it, such as {@code CL_OUT_OF_RESOURCES (-5)}. */
  static String of(int code) {
    int runtime = -code - 1;
    int invalid = -code - FIRST_INVALID;
    if (runtime >= 0 && runtime < RUNTIME.size()) {
      return "CL_" + RUNTIME.get(runtime) + " (" + code + ")";
    }
    if (invalid >= 0 && invalid < INVALID.size()) {
      return "CL_INVALID_" + INVALID.get(invalid) + " (" + code + ")";
    }
    return code == OpenCl.PLATFORM_NOT_FOUND
        ? "CL_PLATFORM_NOT_FOUND_KHR (" + code + ")"
        : "the unknown code " + code;
  }
}
