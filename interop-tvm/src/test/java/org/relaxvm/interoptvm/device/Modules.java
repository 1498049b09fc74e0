package org.relaxvm.interoptvm.device;

import org.relaxvm.api.DType;
import org.relaxvm.api.spi.KernelEntry;
import org.relaxvm.interoptvm.Bytes;

/** Modules for tests. */
public final class Modules {
  private static final DType HANDLE = KernelEntry.HANDLE;

  private Modules() {}

  /** The worked example: one kernel in PTX. */
  public static Bytes cuda(String format) {
    return head(format, "add_kernel", "blockIdx.x", "threadIdx.x")
        .i64(2)
        .i32(0)
        .i32(0)
        .string("//PTX");
  }

  /** The same as an older release wrote it. */
  public static Bytes olderCuda(String format) {
    return head(format, "add_kernel", "blockIdx.x", "tir.use_dyn_shared_memory").string("//PTX");
  }

  /** Two kernels in OpenCL C. */
  public static Bytes openCl(String source) {
    return new Bytes()
        .string("cl")
        .i64(2)
        .raw(kernel("b").i64(0).toArray())
        .raw(kernel("a").i64(0).toArray())
        .string(source);
  }

  /** One shader; its scalar is in a uniform buffer if the flags say so. */
  public static Bytes vulkan(int flags, int... words) {
    Bytes shader = new Bytes().i32(flags).i64(words.length);
    for (int word : words) {
      shader.i32(word);
    }
    return head("vulkan", "k", "blockIdx.x").i64(0).i64(1).string("k").blob(shader.toArray());
  }

  /** Up to the launch tags of the only kernel. */
  static Bytes head(String format, String name, String... tags) {
    return new Bytes().string(format).i64(1).raw(kernel(name, tags).toArray());
  }

  private static Bytes kernel(String name, String... tags) {
    return new Bytes().string(name).string(name).dtypes(HANDLE, DType.INT32).strings(tags);
  }
}
