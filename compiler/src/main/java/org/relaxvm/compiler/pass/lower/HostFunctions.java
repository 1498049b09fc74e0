package org.relaxvm.compiler.pass.lower;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.PrimFunc;

/** Kernels that run on the host, whatever the device: they compute extents, not tensors. */
public final class HostFunctions {
  /** The attribute on such kernels. */
  public static final String IS_HOST = "tirx.is_host_func";

  /** The same attribute before 2026. */
  private static final String IS_HOST_BEFORE = "tir.is_host_func";

  static final Map<String, Object> ATTRS = Map.of(IS_HOST, true);

  private HostFunctions() {}

  /** Whether a kernel runs on the host. */
  public static boolean isHost(PrimFunc kernel) {
    return isSet(kernel.attrs().get(IS_HOST)) || isSet(kernel.attrs().get(IS_HOST_BEFORE));
  }

  private static boolean isSet(@Nullable Object value) {
    return Boolean.TRUE.equals(value) || Long.valueOf(1).equals(value);
  }
}
