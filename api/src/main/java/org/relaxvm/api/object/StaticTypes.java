package org.relaxvm.api.object;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The types whose index is the same in each process: values from 0 on, objects from 64 on.
 *
 * <p>Source: docs/spec/object-system.md, section 1.1.
 */
public final class StaticTypes {
  private static final Map<String, Integer> ALL = new LinkedHashMap<>();

  static {
    String[] values = {
      "None",
      "int",
      "bool",
      "float",
      "void*",
      "DataType",
      "Device",
      "DLTensor*",
      "const char*",
      "TVMFFIByteArray*",
      "ObjectRValueRef",
      "ffi.SmallStr",
      "ffi.SmallBytes"
    };
    for (int i = 0; i < values.length; i++) {
      ALL.put(values[i], i);
    }
    String[] objects = {
      ObjectDeclaration.OBJECT,
      "ffi.String",
      "ffi.Bytes",
      "ffi.Error",
      "ffi.Function",
      "ffi.Shape",
      "ffi.Tensor",
      "ffi.Array",
      "ffi.Map",
      "ffi.Module",
      "ffi.OpaquePyObject",
      "ffi.List",
      "ffi.Dict",
      "ffi.VisitInterrupt"
    };
    for (int i = 0; i < objects.length; i++) {
      ALL.put(objects[i], 64 + i);
    }
  }

  private StaticTypes() {}

  /** Key to index, parents first. */
  public static Map<String, Integer> all() {
    return Collections.unmodifiableMap(ALL);
  }
}
