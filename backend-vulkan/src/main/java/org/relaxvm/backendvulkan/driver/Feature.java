package org.relaxvm.backendvulkan.driver;

/** What a device may be able to do and kernels may use. */
public enum Feature {
  /** Kernels compute with float64. */
  FLOAT64("shaderFloat64"),
  /** Kernels compute with int64. */
  INT64("shaderInt64"),
  /** Kernels compute with int16. */
  INT16("shaderInt16"),
  /** Kernels compute with float16. */
  FLOAT16("shaderFloat16"),
  /** Kernels compute with int8. */
  INT8("shaderInt8"),
  /** Storage buffers have elements of 8 bits. */
  STORAGE_8("storageBuffer8BitAccess"),
  /** Uniform buffers have elements of 8 bits. */
  UNIFORM_8("uniformAndStorageBuffer8BitAccess"),
  /** Push constants have elements of 8 bits. */
  PUSH_CONSTANT_8("storagePushConstant8"),
  /** Storage buffers have elements of 16 bits. */
  STORAGE_16("storageBuffer16BitAccess"),
  /** Uniform buffers have elements of 16 bits. */
  UNIFORM_16("uniformAndStorageBuffer16BitAccess"),
  /** Push constants have elements of 16 bits. */
  PUSH_CONSTANT_16("storagePushConstant16"),
  /** Kernels use addresses of buffers. */
  BUFFER_ADDRESS("bufferDeviceAddress"),
  /** Semaphores that count. */
  TIMELINE("timelineSemaphore"),
  /** Queries are reset by the host. */
  HOST_QUERY_RESET("hostQueryReset"),
  /** Blocks are laid out as C does it. */
  SCALAR_LAYOUT("scalarBlockLayout"),
  /** Uniform blocks are laid out as storage blocks are. */
  UNIFORM_STANDARD_LAYOUT("uniformBufferStandardLayout"),
  /** The memory model of Vulkan. */
  MEMORY_MODEL("vulkanMemoryModel"),
  /** The memory model of Vulkan, between work-groups. */
  MEMORY_MODEL_DEVICE("vulkanMemoryModelDeviceScope"),
  /** Operations of subgroups on 8, 16 and 64 bits. */
  SUBGROUP_TYPES("shaderSubgroupExtendedTypes"),
  /** Atomic operations on int64 in buffers. */
  BUFFER_INT64_ATOMICS("shaderBufferInt64Atomics"),
  /** Atomic operations on int64 in shared memory. */
  SHARED_INT64_ATOMICS("shaderSharedInt64Atomics"),
  /** Pointers into storage buffers that are chosen at run time. */
  VARIABLE_POINTERS_BUFFER("variablePointersStorageBuffer"),
  /** Pointers into shared memory that are chosen at run time. */
  VARIABLE_POINTERS("variablePointers"),
  /**
   * Shaders of SPIR-V 1.6, whose work-groups have a size that is given later. From Vulkan 1.3 on.
   */
  MAINTENANCE_4("maintenance4");

  private final String vulkanName;

  Feature(String vulkanName) {
    this.vulkanName = vulkanName;
  }

  /** Its name in the specification, such as {@code shaderFloat64}. */
  public String vulkanName() {
    return vulkanName;
  }
}
