package org.relaxvm.objects.release;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.objects.schema.TvmRelease;

/**
 * The release that objects are made of. Scalar types and operators are one node each. Not
 * thread-safe.
 */
final class Target {
  private static final String NEWER_PREFIX = "tirx.";
  private static final String OLDER_PREFIX = "tir.";

  private final TvmRelease release;
  private final TvmRelease source;
  private final ObjectTypes types;
  private final Map<DType, ObjectNode> scalarTypes = new HashMap<>();
  private final Map<String, ObjectNode> operators = new HashMap<>();

  /**
   * A target.
   *
   * @param release of the objects that are made
   * @param source the release of those that are converted
   * @param types those of {@code release}
   */
  Target(TvmRelease release, TvmRelease source, ObjectTypes types) {
    this.release = release;
    this.source = source;
    this.types = types;
  }

  TvmRelease release() {
    return release;
  }

  TvmRelease source() {
    return source;
  }

  ObjectTypes types() {
    return types;
  }

  /** A type key, operator or attribute with the prefix of kernels that the target has. */
  String renamed(String name) {
    String from = prefix(source);
    return name.startsWith(from) ? prefix(release) + name.substring(from.length()) : name;
  }

  /** A name with the prefix of kernels that the newest release has. */
  String plain(String name) {
    return source == TvmRelease.V0_22 && name.startsWith(OLDER_PREFIX)
        ? NEWER_PREFIX + name.substring(OLDER_PREFIX.length())
        : name;
  }

  /** The name of a kernel's type, operator or attribute in the target. */
  String kernel(String name) {
    return prefix(release) + name;
  }

  private static String prefix(TvmRelease release) {
    return release == TvmRelease.V0_22 ? OLDER_PREFIX : NEWER_PREFIX;
  }

  /** The type of scalars of a dtype. */
  ObjectNode scalarType(DType dtype) {
    return scalarTypes.computeIfAbsent(
        dtype, d -> (ObjectNode) types.require("ir.PrimType").create(Map.of("dtype", d)));
  }

  /** A constant. */
  ObjectNode integer(DType dtype, long value) {
    Map<String, Object> fields =
        release == TvmRelease.newest()
            ? Map.of("ty", scalarType(dtype), "value", value)
            : Map.of("dtype", dtype, "value", value);
    return (ObjectNode) types.require("ir.IntImm").create(fields);
  }

  /**
   * An object.
   *
   * @param fields names and values in turn; the others have their defaults
   */
  ObjectNode make(String key, @Nullable Object... fields) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    for (int i = 0; i < fields.length; i += 2) {
      values.put((String) fields[i], fields[i + 1]);
    }
    return (ObjectNode) types.require(key).create(values);
  }

  /** An operator; null if the target has none of the name. */
  @Nullable ObjectNode operator(String name) {
    return types.isKnownName("ir.Op", name)
        ? operators.computeIfAbsent(
            name, n -> (ObjectNode) types.require("ir.Op").create(Map.of("name", n)))
        : null;
  }
}
