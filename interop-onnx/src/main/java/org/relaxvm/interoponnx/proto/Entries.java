package org.relaxvm.interoponnx.proto;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Repeated messages of a key and a value. */
final class Entries {
  private Entries() {}

  /** The strings by key; the last one of a key counts. */
  static Map<String, String> strings(List<WireMessage> entries) {
    Map<String, String> result = new LinkedHashMap<>();
    for (WireMessage entry : entries) {
      result.put(entry.string(1), entry.string(2));
    }
    return Collections.unmodifiableMap(result);
  }

  /** The versions by domain; the highest one of a domain counts. */
  static Map<String, Long> opsets(List<WireMessage> entries) {
    Map<String, Long> result = new LinkedHashMap<>();
    for (WireMessage entry : entries) {
      result.merge(NodeProto.domain(entry.string(1)), entry.integer(2), Math::max);
    }
    return Collections.unmodifiableMap(result);
  }
}
