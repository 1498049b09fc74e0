package org.relaxvm.objects.release;

import java.util.Map;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;

/** Names that differ between releases, besides prefixes. */
final class Names {
  /** Says that a kernel has blocks, or may get some; since 0.25. */
  static final String HAS_BLOCKS = "s_tir";

  /** The dtype of pointers, and of texts up to 0.25. */
  static final DType HANDLE = DType.parse("handle");

  /** The kind of the error of a check up to 0.23. */
  static final String DEFAULT_ERROR = "RuntimeError";

  private static final Map<String, String> NEWER_FUNCTIONS =
      Map.of("tvm.relax.struct_info.infer_by_sinfo_args", "tvm.relax.type.infer_by_ty_args");
  private static final Map<String, String> OLDER_FUNCTIONS =
      NEWER_FUNCTIONS.entrySet().stream()
          .collect(Collectors.toMap(Map.Entry::getValue, Map.Entry::getKey));

  private Names() {}

  /** The name of a global function in the newest release. */
  static String newer(String function) {
    return NEWER_FUNCTIONS.getOrDefault(function, function);
  }

  /** The name of a global function up to 0.25. */
  static String older(String function) {
    return OLDER_FUNCTIONS.getOrDefault(function, function);
  }
}
